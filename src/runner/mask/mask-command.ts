import { MASK } from "./masked-text.ts";

/** Matches a declaration of a secret, alone on a line. */
const COMMAND = /^\s*::add-mask::([^]*)/;
/** Matches a declaration within a line, such as a quoted shell command. The name of a variable reveals nothing. */
const QUOTED = /(::add-mask::)(?!\$[A-Za-z_{(])[^\r\n]+/g;

/** Reads the value that a line of output declares as sensitive; `null` for other lines. */
export function maskCommand(line: string): string | null {
  const [, value] = COMMAND.exec(line) ?? [];
  if (value === undefined) return null;
  return value.replace(/%(25|0D|0A)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}

/** Hides declared values in text that quotes a declaration: up to the end of the line, because their end is unknown. */
export function hideDeclared(text: string): string {
  return text.replace(QUOTED, `$1${MASK}`);
}
