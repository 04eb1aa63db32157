/** Picks a few values out of a JSON text of any size, in one pass and without building it. */

/** Containers in one another; deeper texts are refused. */
const MAX_DEPTH = 100;
/** The longest value that is picked, and the longest name of a member that is compared. */
const MAX_TEXT = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** An open container. `path`: the names that lead to it; `null` where nothing below is wanted. */
interface Container {
  isArray: boolean;
  path: string | null;
}

/**
 * Returns the texts and numbers at the wanted paths, which are names with dots between them; the first of each counts.
 * `null` if the text is no JSON or is nested too deep. The bytes were authenticated before, so a member that is there twice
 * is no attack.
 */
export function pickJson(bytes: Buffer, wanted: readonly string[]): ReadonlyMap<string, string> | null {
  const picker = new Picker(bytes, wanted);
  try {
    return picker.pick();
  } catch (error) {
    if (error instanceof NoJson) return null;
    throw error;
  }
}

class NoJson extends Error {}

class Picker {
  readonly #bytes: Buffer;
  readonly #wanted: ReadonlySet<string>;
  /** All beginnings of wanted paths. */
  readonly #ways: ReadonlySet<string>;
  readonly #found = new Map<string, string>();
  readonly #open: Container[] = [];
  #at = 0;

  constructor(bytes: Buffer, wanted: readonly string[]) {
    this.#bytes = bytes;
    this.#wanted = new Set(wanted);
    this.#ways = new Set(
      wanted.flatMap((path) => {
        const names = path.split(".");
        return names.map((_, index) => names.slice(0, index + 1).join("."));
      }),
    );
  }

  pick(): ReadonlyMap<string, string> {
    this.#value("");
    while (this.#open.length > 0 && this.#found.size < this.#wanted.size) this.#next();
    if (this.#open.length === 0 && this.#peek() !== -1) throw new NoJson();
    return this.#found;
  }

  /** Reads the next member or item of the innermost container, or its end. */
  #next(): void {
    const container = this.#open.at(-1);
    if (container === undefined) return;
    const end = container.isArray ? CLOSE_ARRAY : CLOSE_OBJECT;
    let byte = this.#peek();
    if (byte === COMMA) {
      this.#at += 1;
      byte = this.#peek();
    }
    if (byte === end) {
      this.#at += 1;
      this.#open.pop();
    } else if (container.isArray) {
      this.#value(null);
    } else {
      const name = this.#text();
      this.#take(COLON);
      this.#value(this.#below(container.path, name));
    }
  }

  /** Returns the path of a member; `null` if nothing is wanted there. */
  #below(path: string | null, name: string | null): string | null {
    if (path === null || name === null || name.includes(".")) return null;
    const own = path === "" ? name : `${path}.${name}`;
    return this.#ways.has(own) ? own : null;
  }

  /** Reads a text or a number, or opens a container. */
  #value(path: string | null): void {
    const byte = this.#peek();
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#open.length >= MAX_DEPTH) throw new NoJson();
      this.#at += 1;
      this.#open.push({ isArray: byte === OPEN_ARRAY, path });
      return;
    }
    const text = byte === QUOTE ? this.#text() : this.#word();
    if (path !== null && text !== null && this.#wanted.has(path) && !this.#found.has(path)) this.#found.set(path, text);
  }

  /** Reads a text; `null` if it is too long to be wanted. */
  #text(): string | null {
    this.#take(QUOTE);
    const start = this.#at;
    for (;;) {
      const end = this.#bytes.indexOf(QUOTE, this.#at);
      if (end < 0) throw new NoJson();
      let slashes = 0;
      while (end - slashes > start && this.#bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
      this.#at = end + 1;
      if (slashes % 2 === 1) continue;
      if (end - start > MAX_TEXT) return null;
      return unescaped(this.#bytes.toString("utf8", start - 1, end + 1));
    }
  }

  /** Reads a number, true, false or null. */
  #word(): string | null {
    const start = this.#at;
    while (isOfWord(this.#bytes[this.#at])) this.#at += 1;
    const word = this.#bytes.toString("latin1", start, Math.min(this.#at, start + MAX_TEXT));
    if (!/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(word)) throw new NoJson();
    return /^-?\d+$/.test(word) ? word : null;
  }

  #take(byte: number): void {
    if (this.#peek() !== byte) throw new NoJson();
    this.#at += 1;
  }

  /** Returns the next byte that is not blank; -1 at the end. */
  #peek(): number {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return -1;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#at += 1;
    }
  }
}

/** Digits, letters, signs and the point. */
function isOfWord(byte: number | undefined): boolean {
  return byte !== undefined && /[\w.+-]/.test(String.fromCharCode(byte));
}

function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new NoJson();
  }
}
