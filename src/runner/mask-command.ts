/** What asks for a value to be masked, alone on a line. */
const COMMAND = /^\s*::add-mask::([^]*)$/;

/** A value that a line of output declares as sensitive; null where the line is none that does. */
export function maskCommand(line: string): string | null {
  const [, value] = COMMAND.exec(line) ?? [];
  if (value === undefined) return null;
  return value.replace(/%(25|0D|0A)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
