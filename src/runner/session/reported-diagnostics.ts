import { LIMITS } from "../../model/kit/limits.ts";
import type { Diagnostic } from "../../model/plan/diagnostic.ts";
import type { Diagnostic as EngineDiagnostic } from "../engine/engine-event.ts";
import { adviceFor, diagnosticHeading } from "../engine/event-text.ts";
import type { LogShipper } from "../log/log-shipper.ts";
import { readableLines, utf8Prefix } from "../log/log-text.ts";
import { hideDeclared } from "../mask/mask-command.ts";
import type { Masker } from "../mask/masker.ts";

interface Context {
  masker: Masker;
  log: Pick<LogShipper, "headings">;
}

/** Gives the diagnostics of a command as they are reported: masked, bounded, with their lines of the log. */
export function reportedDiagnostics(
  { masker, log }: Context,
  found: readonly EngineDiagnostic[],
): { diagnostics?: Diagnostic[] } {
  if (found.length === 0) return {};
  const shown = (text: string, bytes: number): string =>
    utf8Prefix(masker.mask(hideDeclared(readableLines(text).join("\n").trim())), bytes);
  const or = (text: string | undefined, bytes: number): string | null =>
    text === undefined || text.trim() === "" ? null : shown(text, bytes);
  const lines = [...log.headings];
  const lineOf = (diagnostic: EngineDiagnostic): number | null => {
    const [heading = ""] = masker.mask(hideDeclared(diagnosticHeading(diagnostic))).split("\n");
    const at = lines.findIndex(({ text }) => text === heading);
    return at === -1 ? null : (lines.splice(at, 1)[0]?.number ?? null);
  };
  const diagnostics = found.slice(0, LIMITS.diagnostics).map((diagnostic): Diagnostic => {
    const { severity, summary, detail, address = "", range, snippet } = diagnostic;
    return {
      severity: severity === "warning" ? "WARNING" : "ERROR",
      summary: shown(summary, LIMITS.diagnosticSummaryBytes),
      detail: or(adviceFor(detail), LIMITS.diagnosticDetailBytes),
      address: address === "" ? null : utf8Prefix(masker.maskAddress(address), LIMITS.diagnosticPlaceBytes),
      file: or(range?.filename, LIMITS.diagnosticPlaceBytes),
      line: range?.start.line ?? null,
      snippet: or(snippet?.code, LIMITS.diagnosticSnippetBytes),
      logLine: lineOf(diagnostic),
    };
  });
  return { diagnostics };
}
