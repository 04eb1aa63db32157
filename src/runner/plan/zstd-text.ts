import { once } from "node:events";
import { finished } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";

/** Characters that are compressed at once. */
const CHUNK = 64 * 1024;

/** Compresses a text that comes in pieces. The event loop continues between chunks. */
export class ZstdText implements Disposable {
  readonly #stream = createZstdCompress();
  readonly #compressed: Buffer[] = [];
  #waiting = "";
  #bytes = 0;

  constructor() {
    this.#stream.on("data", (chunk: Buffer) => this.#compressed.push(chunk));
    // `write` and `end` throw it.
    this.#stream.on("error", () => undefined);
  }

  /** Bytes of the text so far, before compression. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds pieces. Gives false, without the rest, once the text is longer than `mostBytes`. */
  async write(pieces: Iterable<string>, mostBytes: number): Promise<boolean> {
    for (const piece of pieces) {
      this.#bytes += Buffer.byteLength(piece);
      if (this.#bytes > mostBytes) return false;
      this.#waiting += piece;
      if (this.#waiting.length >= CHUNK) await this.#compress();
    }
    return true;
  }

  async end(): Promise<Buffer<ArrayBuffer>> {
    this.#stream.end(this.#waiting);
    await finished(this.#stream);
    return Buffer.concat(this.#compressed);
  }

  async #compress(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    if (!this.#stream.write(text)) await once(this.#stream, "drain");
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }
}
