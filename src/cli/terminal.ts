import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** The input of a command, such as `process.stdin`. */
export type TerminalInput = Readable & { readonly isTTY?: boolean };

/** The output of a command, such as `process.stdout`. `columns` is known on a terminal only. */
export type TerminalOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Whether a person can be asked: the question and the answer both need a terminal. */
export function canAsk(input: TerminalInput, output: TerminalOutput): boolean {
  return input.isTTY === true && output.isTTY === true;
}

const bidirectionalControls = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a line safe to show. Log and plan come from the engine and the programs that it runs; without their escape
 * sequences and control characters they cannot repaint what a person is about to approve.
 */
export function printable(line: string): string {
  return stripVTControlCharacters(line)
    .replaceAll("\t", "    ")
    .replace(/\p{Cc}/gu, "")
    .replace(bidirectionalControls, "");
}

/** Splits a line into pieces of at most `width` characters; an empty line is one empty piece. */
export function wrap(line: string, width: number): string[] {
  const characters = Array.from(line);
  if (characters.length <= width) return [line];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += width) {
    pieces.push(characters.slice(start, start + width).join(""));
  }
  return pieces;
}
