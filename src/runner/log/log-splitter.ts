/** One line of output: its first bytes and its length. */
export interface RawLine {
  bytes: Buffer;
  /** Without the line break; more than `bytes` holds when the line was too long to keep. */
  totalBytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Splits a stream of bytes into lines. Keeps `keepBytes` of each line and counts the rest. */
export class LogSplitter {
  readonly #keepBytes: number;
  #pieces: Buffer[] = [];
  #kept = 0;
  #total = 0;
  #lastByte = 0;

  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
  }

  *push(chunk: Buffer): Generator<RawLine> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(start));
  }

  /** Gives the last line if it has no line break. */
  *end(): Generator<RawLine> {
    if (this.#total > 0) yield this.#take();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#total += piece.length;
    this.#lastByte = piece[piece.length - 1] ?? 0;
    const room = this.#keepBytes - this.#kept;
    if (room <= 0) return;
    // A copy of the part, because a view would keep the whole chunk in memory.
    const part = piece.length > room ? Buffer.from(piece.subarray(0, room)) : piece;
    this.#pieces.push(part);
    this.#kept += part.length;
  }

  #take(): RawLine {
    let bytes = this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces);
    let totalBytes = this.#total;
    if (this.#lastByte === CARRIAGE_RETURN) {
      if (bytes.length === totalBytes) bytes = bytes.subarray(0, -1);
      totalBytes -= 1;
    }
    this.#pieces = [];
    this.#kept = 0;
    this.#total = 0;
    this.#lastByte = 0;
    return { bytes, totalBytes };
  }
}
