/** Reads lines and counted bytes from a stream. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Reads the text up to the next line break, and the break. Throws if the stream ends first, or after `maxBytes`. */
  async line(maxBytes: number): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(0x0a);
      if (end >= 0) return this.#cut(end + 1).toString("utf8", 0, end);
      if (this.#rest.length > maxBytes || !(await this.#more()))
        throw new Error("The input ended before the end of the line, or the line is too long.");
    }
  }

  /** Reads `count` bytes. Throws if the stream ends first. */
  async bytes(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error("The stream ended early.");
      const piece = this.#cut(Math.min(missing, this.#rest.length));
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** Passes over `count` bytes without keeping them. Throws if the stream ends first. */
  async skip(count: number): Promise<void> {
    let missing = count;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error("The stream ended early.");
      missing -= this.#cut(Math.min(missing, this.#rest.length)).length;
    }
  }

  /** Reads the rest, so that an error at the end of the stream is thrown. */
  async end(): Promise<void> {
    while (await this.#more()) this.#rest = Buffer.alloc(0);
  }

  /** Stops reading and closes the stream. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #cut(count: number): Buffer {
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return piece;
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done === true) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
