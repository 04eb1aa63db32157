/** Reads the errors that an engine wrote as text, as `init` does. */
import type { Diagnostic } from "../engine/engine-event.ts";

const HEADING = /^(?:│ )?(Error|Warning): (.*)$/;
const FRAME = /^[╷╵]$|^│ ?/;
/** A line of the place in the configuration, which the engine indents. */
const PLACE = /^ {2}(?:with |on |\s*\d+: )/;
const ADDRESS = /^ {2}with (.+?),?$/;
/** The engine's preamble before the errors of a configuration that does not parse. */
export const PREAMBLE = /^\S+ encountered problems during initiali[sz]ation/;

/** Returns the errors of a text, without the engine's preamble. */
export function textErrors(text: string): Diagnostic[] {
  const errors: Diagnostic[] = [];
  let current: { error: Diagnostic; detail: string[] } | null = null;
  const finish = (): void => {
    if (current !== null && !PREAMBLE.test(current.error.summary)) {
      errors.push({ ...current.error, detail: current.detail.join("\n").trim() });
    }
    current = null;
  };
  for (const raw of text.split("\n")) {
    const [, severity, summary = ""] = HEADING.exec(raw) ?? [];
    if (severity !== undefined) {
      finish();
      if (severity === "Error") current = { error: { severity: "error", summary, detail: "" }, detail: [] };
      continue;
    }
    if (current === null) continue;
    const line = raw.replace(FRAME, "");
    const [, address] = ADDRESS.exec(line) ?? [];
    if (address !== undefined) current.error.address = address;
    else if (!PLACE.test(line)) current.detail.push(line);
  }
  finish();
  return errors;
}
