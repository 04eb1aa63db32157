/** A text without one kind of encoding, with a map of its indexes to the original text. */
export interface TextView {
  text: string;
  /** Gives the original index of a character. The end maps to the end, or to an escape that the end cuts. */
  place: (at: number) => number;
  /** Gives the original end of the character before this index. */
  placeEnd: (at: number) => number;
}

/** Builds a view from pieces instead of characters: few indexes are ever asked for. */
class ViewBuilder {
  readonly #from: TextView | null;
  #text = "";
  readonly #ends: number[] = [];
  readonly #starts: number[] = [];
  /** Original length of each piece; 0 for a piece that is unchanged. */
  readonly #lengths: number[] = [];

  constructor(from: TextView | null) {
    this.#from = from;
  }

  /** Adds text that replaces `length` original characters at `start`. */
  put(text: string, start: number, length: number): void {
    this.#add(text, start, length);
  }

  /** Adds text that is unchanged. */
  copy(text: string, start: number): void {
    this.#add(text, start, 0);
  }

  /** `at`: the original end, or the index of an escape that it cuts and that is left out. */
  end(at: number): TextView {
    const text = this.#text;
    return { text, place: (index) => this.#place(index, at), placeEnd: (index) => this.#placeEnd(index) };
  }

  #add(text: string, start: number, length: number): void {
    this.#text += text;
    this.#ends.push(this.#text.length);
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  #place(index: number, end: number): number {
    const piece = this.#pieceOf(index);
    const own = (this.#starts[piece] ?? end) + this.#offset(piece, index);
    return this.#from === null ? own : this.#from.place(own);
  }

  #placeEnd(index: number): number {
    const piece = this.#pieceOf(index - 1);
    const length = this.#lengths[piece] ?? 0;
    const own = (this.#starts[piece] ?? 0) + (length > 0 ? length : this.#offset(piece, index));
    return this.#from === null ? own : this.#from.placeEnd(own);
  }

  #pieceOf(index: number): number {
    let low = 0;
    for (let high = this.#ends.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #offset(piece: number, index: number): number {
    return (this.#lengths[piece] ?? 0) > 0 ? 0 : index - (this.#ends[piece - 1] ?? 0);
  }
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" };
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(u[0-9a-fA-F]{0,3}$|x[0-9a-fA-F]?$|$)|([^]))/g;

/** Removes the backslashes of strings in JSON, HCL, Go, Python and shells. An escape cut by the end is left out. */
export function removeEscapes(text: string, from: TextView | null): TextView {
  const view = new ViewBuilder(from);
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, unit, byte, cut, letter] = match;
    view.copy(text.slice(end, match.index), end);
    if (cut !== undefined) return view.end(match.index);
    end = match.index + whole.length;
    const code = unit ?? byte;
    if (code !== undefined) view.put(String.fromCharCode(Number.parseInt(code, 16)), match.index, whole.length);
    else if (letter !== undefined) view.put(LETTERS[letter] ?? letter, match.index, whole.length);
  }
  view.copy(text.slice(end), end);
  return view.end(text.length);
}

const TEMPLATE_ESCAPE = /([$%])\1(\{|$)/g;

/** Removes the escapes of HCL's templates, `$${` and `%%{`. An escape cut by the end is left out. */
export function removeTemplateEscapes(text: string, from: TextView | null): TextView {
  const view = new ViewBuilder(from);
  let end = 0;
  for (const { 0: whole, 2: brace, index } of text.matchAll(TEMPLATE_ESCAPE)) {
    view.copy(text.slice(end, index), end);
    if (brace === "") return view.end(index);
    view.put(whole.slice(0, 1), index, 2);
    end = index + whole.length - 1;
  }
  view.copy(text.slice(end), end);
  return view.end(text.length);
}

const PERCENT = /(?:%[0-9a-fA-F]{2})+(?:%[0-9a-fA-F]?$)?|\+|%[0-9a-fA-F]?$/g;

/** Removes the escapes of URLs. `plus`: a plus means a space. */
export function percentDecode(text: string, plus: boolean, from: TextView | null): TextView {
  const view = new ViewBuilder(from);
  let end = 0;
  for (const match of text.matchAll(PERCENT)) {
    const [whole] = match;
    view.copy(text.slice(end, match.index), end);
    end = match.index + whole.length;
    if (whole === "+") view.put(plus ? " " : "+", match.index, 1);
    else {
      const bytes = Buffer.from(whole.replaceAll("%", ""), "hex");
      const known = putBytes(view, bytes, match.index, end === text.length);
      if (end === text.length) return view.end(match.index + known * 3);
    }
  }
  view.copy(text.slice(end), end);
  return view.end(text.length);
}

/** Adds decoded bytes, three original characters each. Gives how many it took: `atEnd` leaves out a partial character. */
function putBytes(view: ViewBuilder, bytes: Buffer, start: number, atEnd: boolean): number {
  let at = 0;
  while (at < bytes.length) {
    const size = sequenceLength(bytes[at] ?? 0);
    if (atEnd && at + size > bytes.length) break;
    view.put(bytes.toString("utf8", at, at + size), start + at * 3, size * 3);
    at += size;
  }
  return Math.min(at, bytes.length);
}

function sequenceLength(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const WORD = /\S+/g;

/** Removes white space. */
export function removeSpaces(text: string, from: TextView | null): TextView {
  const view = new ViewBuilder(from);
  for (const match of text.matchAll(WORD)) view.copy(match[0], match.index);
  return view.end(text.length);
}
