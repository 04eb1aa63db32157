import { isAbsolute } from "node:path";
import { changesUser, type EngineIsolation, PLACEHOLDERS, wrongPlaceholders } from "../runner/engine/engine-command.ts";
import { type ReadSetting, quote, InvalidSetting, wholeNumber } from "./setting.ts";

/** Isolation of engines, in the embedded runner and in a separate one. */
export interface EngineSettings extends EngineIsolation {
  /** As root: the user id of the first slot's engines; the other slots have the next ones. */
  readonly firstUid: number;
}

/**
 * A user id that is unused on systems that follow systemd's plan of ids (60578 to 61183), and that exists in containers,
 * which often have 65,536 ids.
 */
const FIRST_UID = 60_900;
/** Far below 2^32 - 1, which means no user; the slots of a machine have the ids after the first. */
const MAX_FIRST_UID = 4_000_000;
const MAX_PROCESSES = 4_000_000;
const MIN_PROCESSES = 16;
const MIN_MEMORY = 256 * 1024 ** 2;
const MIN_FILE = 1024 ** 2;
const UNITS = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 } as const;

/** Reads the settings that begin with HOLDPOINT_ENGINE_. */
export function readEngineSettings(read: ReadSetting): EngineSettings {
  return {
    bounds: {
      maxProcesses: read<number | null>("HOLDPOINT_ENGINE_MAX_PROCESSES", null, processes),
      maxMemoryBytes: read<number | null>("HOLDPOINT_ENGINE_MAX_MEMORY", null, (text) => size(text, MIN_MEMORY)),
      maxFileBytes: read<number | null>("HOLDPOINT_ENGINE_MAX_FILE_SIZE", null, (text) => size(text, MIN_FILE)),
    },
    prefix: read<readonly string[]>("HOLDPOINT_ENGINE_PREFIX", [], prefix),
    firstUid: read("HOLDPOINT_ENGINE_UID", FIRST_UID, uid),
  };
}

function processes(text: string): number {
  const count = wholeNumber(text, MAX_PROCESSES, "with the threads of all processes");
  if (count >= MIN_PROCESSES) return count;
  throw new InvalidSetting(
    `must be at least ${MIN_PROCESSES}, which is about what an engine needs, not ${quote(text)}`,
  );
}

function size(text: string, least: number): number {
  const [, digits = "", unit = ""] = /^(\d{1,12})([KMGT]?)$/i.exec(text) ?? [];
  const entry = Object.entries(UNITS).find(([name]) => name === unit.toUpperCase());
  const bytes = Number(digits) * (entry?.[1] ?? 1);
  if (digits !== "" && bytes >= least && Number.isSafeInteger(bytes)) return bytes;
  throw new InvalidSetting(
    `must be a number of bytes, K, M, G or T, of at least ${least / 1024 ** 2}M, not ${quote(text)}`,
  );
}

/** Split at blanks, and not by a shell: no quotes, no variables. */
function prefix(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const wrong = wrongPlaceholders(words);
  if (wrong.length > 0) {
    const known = PLACEHOLDERS.map((name) => `{${name}}`).join(", ");
    throw new InvalidSetting(`has ${wrong.join(", ")}; there are ${known}, and {env} is a word of its own`);
  }
  const [program = ""] = words;
  if (changesUser(words) && !isAbsolute(program)) {
    throw new InvalidSetting(
      `must begin with an absolute path where it has {uid}, because it then starts as the runner's user`,
    );
  }
  return words;
}

function uid(text: string): number {
  const value = wholeNumber(text, MAX_FIRST_UID, "which is refused: root");
  if (value > 0) return value;
  throw new InvalidSetting("must not be 0: engines do not run as root");
}
