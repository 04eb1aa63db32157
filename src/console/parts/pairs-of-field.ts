import { linesOfField } from "./field.ts";
import { wrongField } from "./sending.ts";

interface PairsOf {
  readonly separator: string;
  /** The problem of a line that is no pair, with an example of one that is right. */
  readonly problem: string;
}

/** Reads the lines of a field as pairs, such as `name = value`. Throws NotSentError for a line that is none. */
export function pairsOfField(form: HTMLFormElement, name: string, { separator, problem }: PairsOf): [string, string][] {
  return linesOfField(form, name).map((line) => {
    const at = line.indexOf(separator);
    if (at < 1) throw wrongField(name, problem);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
}
