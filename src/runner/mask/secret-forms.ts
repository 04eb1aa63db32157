/** A text that reveals a sensitive value. */
export interface SecretForm {
  text: string;
  /** Whether neighbouring characters hold bits of the value too. */
  base64: boolean;
}

/**
 * Gives the plain forms of a value: unchanged, each of its lines, and without white space, because tools break lines
 * anywhere. Escapes of JSON and URLs have too many variants for forms; the finder removes them (text-views.ts).
 */
export function secretForms(value: string, minLength: number): SecretForm[] {
  const whole = value.trim();
  const forms = [value.length >= minLength && whole.length < minLength ? value : whole, ...plainLines(value)];
  if (/\s/.test(whole)) forms.push(whole.replace(/\s/g, ""));
  return forms.map((text) => ({ text, base64: false }));
}

/** Gives a value and its long lines in hexadecimal and base64, without texts shorter than `minLength`. */
export function encodedForms(value: string, minLength: number): SecretForm[] {
  const whole = value.trim();
  const lines = plainLines(value);
  const texts = lines.length > MOST_LINES ? [whole] : [whole, ...lines.filter(({ length }) => length >= LONG_LINE)];
  return texts.filter(({ length }) => length >= minLength).flatMap(encoded);
}

/**
 * Splits a form into parts of bounded length, so that a comparison is cheap. Parts overlap: none is too short, and the next
 * one matches before a part ends.
 */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start + PART_LENGTH < text.length; start += PART_LENGTH - PART_OVERLAP) {
    parts.push(text.slice(start, start + PART_LENGTH));
  }
  return [...parts, text.slice(-PART_LENGTH)];
}

const PART_LENGTH = 256;
const PART_OVERLAP = 16;

/** A value of more lines is searched encoded as a whole only; a shorter one also by its long lines. */
const MOST_LINES = 100;
const LONG_LINE = 16;

function plainLines(value: string): string[] {
  if (!/[\r\n]/.test(value)) return [];
  return value.split(/\r\n|\n|\r/).map((line) => line.trim());
}

function encoded(text: string): SecretForm[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  const forms: SecretForm[] = [hex, hex.toUpperCase()].map((digits) => ({ text: digits, base64: false }));
  for (const before of [0, 1, 2]) {
    const core = base64Core(bytes, before);
    forms.push({ text: core, base64: true });
    const url = core.replaceAll("+", "-").replaceAll("/", "_");
    if (url !== core) forms.push({ text: url, base64: true });
  }
  return forms;
}

/** Gives the base64 characters that depend on the value alone, if `before` bytes of its first group of three precede it. */
function base64Core(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
