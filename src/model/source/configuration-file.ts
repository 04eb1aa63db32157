/** Knows which files of a folder an engine reads as configuration, and scans them. */
import { type FileScan, SCANNED_BYTES, unreadable } from "./file-scan.ts";
import { scanHcl } from "./hcl-scanner.ts";
import { scanJson } from "./json-scanner.ts";

/** `null`: either; then the files of both are read. */
export type EngineName = "terraform" | "tofu" | null;

/** Copies that editors make have other ends, or begin with a dot. */
const CONFIGURATION = /^[^.].*\.(?:tf|tofu)(?:\.json)?$/s;
const OF_TOFU = /\.tofu(\.json)?$/;

/** Returns those of the names that the engine reads as configuration. */
export function configurationFiles(names: readonly string[], engine: EngineName): string[] {
  const candidates = names.filter((name) => CONFIGURATION.test(name));
  switch (engine) {
    case null:
      return candidates;
    case "terraform":
      return candidates.filter((name) => !OF_TOFU.test(name));
    case "tofu": {
      // A file of OpenTofu's own replaces the one of the same name and syntax.
      const replaced = new Set(
        candidates.filter((name) => OF_TOFU.test(name)).map((name) => name.replace(OF_TOFU, ".tf$1")),
      );
      return candidates.filter((name) => !replaced.has(name));
    }
  }
}

/** Scans a configuration file. Never throws: a file that cannot be read gives a scan that reads everything. */
export function scanConfiguration(name: string, body: Uint8Array): FileScan {
  if (body.length > SCANNED_BYTES) return unreadable(`it has more than ${SCANNED_BYTES} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return unreadable("it is not encoded in UTF-8");
  }
  return name.endsWith(".json") ? scanJson(text) : scanHcl(text);
}
