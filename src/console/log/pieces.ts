import type { LineSpan } from "./colored-parts.ts";

/** The lines of a log by number, in pieces that are read when they are shown. Pure: no page, no API. */
export interface LogLine {
  readonly number: number;
  readonly phase: string;
  readonly attempt: number;
  readonly stream: string;
  readonly at: string;
  readonly text: string;
  /** Absent if the text has no colors. */
  readonly spans?: readonly LineSpan[] | undefined;
}

/** How many lines are read at once. */
export const PIECE = 1000;
/** How many pieces are kept: a log of a million lines does not fill the memory of the tab. */
const KEPT = 20;

export class Pieces {
  /** The number of the last line that exists. */
  last = 0;
  readonly #pieces = new Map<number, LogLine[]>();

  /** The piece that a line is in. */
  static of(number: number): number {
    return Math.floor((number - 1) / PIECE);
  }

  line(number: number): LogLine | undefined {
    const piece = this.#pieces.get(Pieces.of(number));
    const line = piece?.[(number - 1) % PIECE];
    // Numbers may have gaps where lines were left out: the place does not show then which line it is.
    return line?.number === number ? line : piece?.find((known) => known.number === number);
  }

  /** Whether a piece was read as far as lines of it exist. */
  has(piece: number): boolean {
    const known = this.#pieces.get(piece);
    const newest = known?.at(-1)?.number ?? 0;
    return known !== undefined && (newest === (piece + 1) * PIECE || newest >= this.last);
  }

  /** Takes the lines of a piece. The pieces that were used least lately are dropped. */
  put(piece: number, lines: readonly LogLine[]): void {
    this.#pieces.delete(piece);
    this.#pieces.set(piece, [...lines]);
    this.last = Math.max(this.last, lines.at(-1)?.number ?? 0);
    for (const oldest of this.#pieces.keys()) {
      if (this.#pieces.size <= KEPT) break;
      this.#pieces.delete(oldest);
    }
  }

  /** Takes lines that have just come. A piece that was not read to its end stays so: it is read when it is shown. */
  append(lines: readonly LogLine[]): void {
    for (const line of lines) {
      if (line.number <= this.last) continue;
      const index = Pieces.of(line.number);
      const piece = this.#pieces.get(index);
      const isNext = line.number === this.last + 1;
      if (piece !== undefined && (piece.at(-1)?.number ?? 0) === this.last) piece.push(line);
      else if (isNext && (line.number - 1) % PIECE === 0) this.put(index, [line]);
      this.last = line.number;
    }
  }
}
