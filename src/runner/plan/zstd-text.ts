import { once } from "node:events";
import { finished } from "node:stream/promises";
import { createZstdCompress, type ZstdCompress, zstdCompressSync } from "node:zlib";

/** Characters that are compressed at once. */
const CHUNK = 64 * 1024;

/** Compresses a text that comes in pieces. The event loop continues between chunks. */
export class ZstdText implements Disposable {
  #stream: ZstdCompress | null = null;
  readonly #compressed: Buffer[] = [];
  #waiting = "";
  #bytes = 0;

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
    // A short text, as most are, takes less than a hop to another thread and back.
    if (this.#stream === null) return Buffer.from(zstdCompressSync(this.#waiting));
    this.#stream.end(this.#waiting);
    await finished(this.#stream);
    return Buffer.concat(this.#compressed);
  }

  async #compress(): Promise<void> {
    this.#stream ??= this.#open();
    const text = this.#waiting;
    this.#waiting = "";
    if (!this.#stream.write(text)) await once(this.#stream, "drain");
  }

  #open(): ZstdCompress {
    const stream = createZstdCompress();
    stream.on("data", (chunk: Buffer) => this.#compressed.push(chunk));
    // `write` and `end` throw it.
    stream.on("error", () => undefined);
    return stream;
  }

  [Symbol.dispose](): void {
    this.#stream?.destroy();
  }
}
