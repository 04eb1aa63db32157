/** A text by which a sensitive value may be recognised. */
export interface SecretForm {
  text: string;
  /** The bits at both ends may be those of a neighbour as well: what touches it belongs to it. */
  base64: boolean;
}

/**
 * The texts that give a value away: as it is, each of its lines, without its white space (lines may have been broken
 * anywhere), in hexadecimal, and in base64. What is escaped for JSON or for a URL is recognised by undoing that
 * (text-views.ts), as there are too many ways to do it.
 */
export function secretForms(value: string, minLength: number): SecretForm[] {
  const whole = value.trim();
  const forms = [value.length >= minLength && whole.length < minLength ? value : whole, ...plainLines(value)];
  if (/\s/.test(whole)) forms.push(whole.replace(/\s+/g, ""));
  return forms.map((text) => ({ text, base64: false }));
}

/** The same in hexadecimal and base64; without what is shorter than `minLength` as it is. */
export function encodedForms(value: string, minLength: number): SecretForm[] {
  const whole = value.trim();
  const lines = plainLines(value);
  const texts = lines.length > MOST_LINES ? [whole] : [whole, ...lines.filter(({ length }) => length >= LONG_LINE)];
  return texts.filter(({ length }) => length >= minLength).flatMap(encoded);
}

/**
 * A form in parts that are not too long to be compared at every place of a text. They overlap, so that none of them is
 * too short, and the next one is recognised before one has ended.
 */
export function partsOf(text: string): string[] {
  if (text.length <= PART_LENGTH) return [text];
  const parts: string[] = [];
  for (let start = 0; start + PART_LENGTH < text.length; start += PART_LENGTH - PART_OVERLAP) {
    parts.push(text.slice(start, start + PART_LENGTH));
  }
  return [...parts, text.slice(-PART_LENGTH)];
}

const PART_LENGTH = 256;
const PART_OVERLAP = 16;

/** Of a value of many lines only the whole is looked for in its encodings, of a shorter one its long lines too. */
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

/** What a value gives in the base64 of a longer text, whatever stands around it, when `before` bytes of a group of three precede it. */
function base64Core(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
