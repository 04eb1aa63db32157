/** Searches lines of a log for a literal text, without regard to case. */
import { LIMITS } from "../kit/limits.ts";
import type { LogLine } from "./log.ts";

/** Where a text is found in a line, in UTF-16 code units; `to` is exclusive. */
export interface TextSpan {
  from: number;
  to: number;
}

/** A line with the places where the text is found. */
export interface LogMatch {
  line: LogLine;
  /** In order, not overlapping, not empty. */
  spans: TextSpan[];
}

export interface LineSearch {
  /** Whether the text may be in one of these lines; `false` is certain. */
  mayMatch: (lines: string) => boolean;
  /** The first places of the text in a line. */
  spansIn: (line: string) => TextSpan[];
}

/** Returns the reason why a log cannot be searched for a text; `null` if it can. */
export function searchTextProblem(text: string): string | null {
  if (text === "" || text.length > LIMITS.searchTextLength) {
    return `Must have 1 to ${LIMITS.searchTextLength} characters.`;
  }
  if (!text.isWellFormed()) return "Must be well-formed Unicode: half of a surrogate pair is no character.";
  return /[\0\n\r]/.test(text) ? "Must be on one line, and must not contain the character U+0000." : null;
}

/** Prepares a search. The case of letters is folded one character at a time, so that places are those of the line. */
export function createLineSearch(text: string): LineSearch {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const any = new RegExp(literal, "iu");
  return {
    mayMatch: (lines) => any.test(lines),
    spansIn(line) {
      const spans: TextSpan[] = [];
      for (const { index, 0: found } of line.matchAll(new RegExp(literal, "giu"))) {
        spans.push({ from: index, to: index + found.length });
        if (spans.length === LIMITS.logSpansPerLine) break;
      }
      return spans;
    },
  };
}
