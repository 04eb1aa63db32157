import { describe, expect, it } from "vitest";
import { type LogLine, PIECE, Pieces } from "../../../src/console/log/pieces.ts";

const line = (number: number): LogLine => ({
  number,
  phase: "PLAN",
  attempt: 1,
  stream: "STDOUT",
  at: "2026-01-01T00:00:00.000Z",
  text: `line ${number}`,
});
const lines = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, at) => line(from + at));

describe("lines by number", () => {
  it("are found in the piece that was read", () => {
    const pieces = new Pieces();
    pieces.last = 2500;
    pieces.put(1, lines(1001, 2000));
    expect([pieces.line(1001)?.text, pieces.line(2000)?.text]).toEqual(["line 1001", "line 2000"]);
    expect([pieces.line(1000), pieces.line(2001)]).toEqual([undefined, undefined]);
    expect([pieces.has(0), pieces.has(1), pieces.has(2)]).toEqual([false, true, false]);
  });

  it("are found where numbers have gaps", () => {
    const pieces = new Pieces();
    pieces.put(0, [line(1), line(5), line(9)]);
    expect([pieces.line(5)?.text, pieces.line(9)?.text, pieces.line(3)]).toEqual(["line 5", "line 9", undefined]);
  });

  it("are in few pieces, however many were read", () => {
    const pieces = new Pieces();
    pieces.last = 100 * PIECE;
    for (let piece = 0; piece < 100; piece += 1) pieces.put(piece, lines(piece * PIECE + 1, (piece + 1) * PIECE));
    expect(pieces.line(1)).toBeUndefined();
    expect(pieces.line(100 * PIECE)?.number).toBe(100 * PIECE);
  });
});

describe("lines that come", () => {
  it("continue the last piece, and begin the next one", () => {
    const pieces = new Pieces();
    pieces.append(lines(1, 999));
    pieces.append(lines(1000, 1002));
    expect(pieces.last).toBe(1002);
    expect([1, 1000, 1001, 1002].map((number) => pieces.line(number)?.number)).toEqual([1, 1000, 1001, 1002]);
    expect([pieces.has(0), pieces.has(1)]).toEqual([true, true]);
  });

  it("that came already change nothing", () => {
    const pieces = new Pieces();
    pieces.append(lines(1, 10));
    pieces.append(lines(5, 12));
    expect(pieces.last).toBe(12);
    expect(lines(1, 12).map(({ number }) => pieces.line(number)?.number)).toEqual(
      lines(1, 12).map(({ number }) => number),
    );
  });

  it("behind lines that were not read leave their piece to be read", () => {
    const pieces = new Pieces();
    pieces.last = 1500;
    pieces.append(lines(1501, 1510));
    expect([pieces.last, pieces.has(1), pieces.line(1505)]).toEqual([1510, false, undefined]);
  });
});
