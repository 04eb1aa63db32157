import { MASK } from "./masked-text.ts";

/** What asks for a value to be masked, alone on a line. */
const COMMAND = /^\s*::add-mask::([^]*)$/;
/** The same in the midst of a line: where a shell's command is quoted. The name of a variable gives nothing away. */
const QUOTED = /(::add-mask::)(?!\$[A-Za-z_{(])[^\r\n]+/g;

/** A value that a line of output declares as sensitive; null where the line is none that does. */
export function maskCommand(line: string): string | null {
  const [, value] = COMMAND.exec(line) ?? [];
  if (value === undefined) return null;
  return value.replace(/%(25|0D|0A)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}

/** Text that quotes what declares a value, without the value, of which nobody knows where it ends in its line. */
export function hideDeclared(text: string): string {
  return text.includes("::add-mask::") ? text.replace(QUOTED, `$1${MASK}`) : text;
}
