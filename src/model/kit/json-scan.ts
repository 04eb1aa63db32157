/** Checks JSON byte by byte without building values: its memory does not grow with the text. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;
/** Characters below are not allowed in texts. */
const FIRST_PRINTABLE = 0x20;
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const SPACES = new Set(Buffer.from(" \t\n\r"));
const HEX = new Set(Buffer.from("0123456789abcdefABCDEF"));
const WORDS = ["true", "false", "null"].map((word) => Buffer.from(word));

export type JsonKind = "OBJECT" | "LIST" | "TEXT" | "OTHER";

/** Values of a taken part, and the bytes of its text. */
export interface PartBounds {
  parts: number;
  bytes: number;
}

/** A text that cannot be read. MALFORMED: the message is what the text must be. */
export class JsonScanError extends Error {
  readonly code: "MALFORMED" | "TOO_LARGE";

  constructor(code: "MALFORMED" | "TOO_LARGE", message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a JSON text from its beginning to its end. Every method that passes a value checks its grammar, and throws
 * MALFORMED. A caller enters the containers that it knows, takes the parts that it needs, and skips the others.
 */
export class JsonScan {
  readonly #bytes: Buffer;
  readonly #depth: number;
  /** Closing brackets of the containers around the current value. */
  readonly #closers: Uint8Array;
  #at = 0;
  /** Values so far, with keys and escapes by number: each takes memory when it is parsed. */
  #parts = 0;

  /** `depth`: the most levels of a value that is skipped or taken. */
  constructor(bytes: Buffer, depth: number) {
    this.#bytes = bytes;
    this.#depth = depth;
    this.#closers = new Uint8Array(depth);
  }

  /** The kind of the next value. */
  get kind(): JsonKind {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    if (byte === OPEN_OBJECT) return "OBJECT";
    if (byte === OPEN_LIST) return "LIST";
    return byte === QUOTE ? "TEXT" : "OTHER";
  }

  /** Enters an object. `member` must pass the value of each key. */
  object(member: (key: string) => void): void {
    this.#container(OPEN_OBJECT, CLOSE_OBJECT, () => member(this.#key()));
  }

  /** Enters a list. `item` must pass each item. */
  list(item: (index: number) => void): void {
    let index = 0;
    this.#container(OPEN_LIST, CLOSE_LIST, () => item(index++));
  }

  /** Passes a value. */
  skip(): void {
    for (let depth = 0; ; ) {
      this.#skipSpace();
      const opened = this.#opened();
      if (opened !== null) {
        if (depth === this.#depth) throw malformed(`must have at most ${this.#depth} levels`);
        this.#closers[depth++] = opened;
        this.#skipSpace();
        if (this.#bytes[this.#at] !== opened) {
          if (opened === CLOSE_OBJECT) this.#skipKey();
          continue;
        }
        this.#at += 1;
        depth -= 1;
      } else {
        this.#scalar();
      }
      depth = this.#closed(depth);
      if (depth === 0) return;
    }
  }

  /** Passes a value and returns its text. Throws TOO_LARGE if it is beyond its bounds. */
  take(what: string, bounds: PartBounds): string {
    this.#skipSpace();
    const [start, parts] = [this.#at, this.#parts];
    this.skip();
    if (this.#at - start > bounds.bytes) throw tooLarge(`${what} may have at most ${bounds.bytes} bytes.`);
    if (this.#parts - parts >= bounds.parts) throw tooLarge(`${what} may have at most ${bounds.parts} values.`);
    return this.#bytes.toString("utf8", start, this.#at);
  }

  /** Passes a value and returns its text; `null` if it has more bytes. */
  takeShort(bytes: number): string | null {
    this.#skipSpace();
    const start = this.#at;
    this.skip();
    return this.#at - start > bytes ? null : this.#bytes.toString("utf8", start, this.#at);
  }

  /** Requires that nothing follows. */
  end(): void {
    this.#skipSpace();
    if (this.#at < this.#bytes.length) throw notJson();
  }

  #container(open: number, close: number, each: () => void): void {
    this.#skipSpace();
    this.#pass(open);
    this.#skipSpace();
    if (this.#bytes[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      each();
      this.#skipSpace();
      if (this.#bytes[this.#at] !== COMMA) break;
      this.#at += 1;
    }
    this.#pass(close);
  }

  /** Enters a container; gives its closing bracket, or `null` if the value is none. */
  #opened(): number | null {
    const byte = this.#bytes[this.#at];
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) return null;
    this.#at += 1;
    this.#parts += 1;
    return byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
  }

  /** Passes what follows a value: closing brackets, or a comma with the next key. Gives the depth that is left. */
  #closed(depth: number): number {
    for (let left = depth; ; left -= 1) {
      if (left === 0) return 0;
      this.#skipSpace();
      const closer = this.#closers[left - 1];
      const byte = this.#bytes[this.#at];
      if (byte !== COMMA && byte !== closer) throw notJson();
      this.#at += 1;
      if (byte !== COMMA) continue;
      this.#parts += 1;
      if (closer === CLOSE_OBJECT) this.#skipKey();
      return left;
    }
  }

  #key(): string {
    this.#skipSpace();
    const start = this.#at;
    this.#skipKey();
    const end = this.#bytes.lastIndexOf(QUOTE, this.#at - 1) + 1;
    const key: unknown = JSON.parse(this.#bytes.toString("utf8", start, end));
    return String(key);
  }

  #skipKey(): void {
    this.#skipSpace();
    this.#text();
    this.#skipSpace();
    this.#pass(COLON);
  }

  #scalar(): void {
    const byte = this.#bytes[this.#at];
    if (byte === QUOTE) return this.#text();
    if (byte === MINUS || isDigit(byte)) return this.#number();
    const word = WORDS.find((each) => each.equals(this.#bytes.subarray(this.#at, this.#at + each.length)));
    if (word === undefined) throw notJson();
    this.#at += word.length;
  }

  #text(): void {
    this.#pass(QUOTE);
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < FIRST_PRINTABLE) throw notJson();
      this.#at += 1;
      if (byte === QUOTE) return;
      if (byte === BACKSLASH) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#bytes[this.#at++];
    if (byte === LOWER_U) {
      this.#parts += 1;
      for (let digits = 0; digits < 4; digits += 1) if (!HEX.has(this.#bytes[this.#at++] ?? 0)) throw notJson();
    } else if (!ESCAPED.has(byte ?? 0)) throw notJson();
  }

  #number(): void {
    if (this.#bytes[this.#at] === MINUS) this.#at += 1;
    if (this.#bytes[this.#at] === ZERO) this.#at += 1;
    else this.#digits();
    if (this.#bytes[this.#at] === POINT) {
      this.#at += 1;
      this.#digits();
    }
    if (!isOneOf("eE", this.#bytes[this.#at])) return;
    this.#at += 1;
    if (isOneOf("+-", this.#bytes[this.#at])) this.#at += 1;
    this.#digits();
  }

  #digits(): void {
    if (!isDigit(this.#bytes[this.#at])) throw notJson();
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
  }

  #skipSpace(): void {
    while (SPACES.has(this.#bytes[this.#at] ?? 0)) this.#at += 1;
  }

  #pass(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw notJson();
    this.#at += 1;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}

function isOneOf(characters: string, byte: number | undefined): boolean {
  return byte !== undefined && characters.includes(String.fromCharCode(byte));
}

function notJson(): JsonScanError {
  return malformed("must be JSON");
}

function malformed(what: string): JsonScanError {
  return new JsonScanError("MALFORMED", what);
}

function tooLarge(message: string): JsonScanError {
  return new JsonScanError("TOO_LARGE", message);
}
