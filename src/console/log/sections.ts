/** The sections of a log: the lines of one phase and attempt. Pure: no page, no API. */
import { type Tone, wordsOf } from "../parts/words.ts";

/** A phase of a run, as the API gives it. */
export interface LoggedPhase {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly status: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  /** `null` if it wrote no line. */
  readonly firstLine?: number | null;
}

export interface LogSection {
  readonly id: string;
  /** The phase, with the attempt if the run has more than one of it. */
  readonly title: string;
  readonly status: string;
  readonly tone: Tone;
  readonly first: number;
  /** Since the phase began, or from its beginning to its end; `null` if it has not begun. */
  readonly seconds: number | null;
}

const TONES: Readonly<Record<string, Tone>> = {
  PASSED: "good",
  RUNNING: "busy",
  FAILED: "bad",
  LOST: "bad",
  TIMED_OUT: "bad",
};

/** Lists the sections in the order of their lines. `now` is in milliseconds. */
export function sectionsOf(phases: readonly LoggedPhase[], now: number): LogSection[] {
  return phases
    .flatMap(({ id, kind, attempt, status, startedAt, finishedAt, firstLine }) => {
      if (firstLine == null) return [];
      const isRepeated = phases.some((other) => other.kind === kind && other.attempt !== attempt);
      const title = isRepeated ? `${wordsOf(kind)} ${attempt}` : wordsOf(kind);
      const end = finishedAt == null ? now : Date.parse(finishedAt);
      const seconds = startedAt == null ? null : Math.max(0, (end - Date.parse(startedAt)) / 1000);
      return [{ id, title, status, tone: TONES[status] ?? "quiet", first: firstLine, seconds }];
    })
    .toSorted((a, b) => a.first - b.first);
}

/** Gives the section that a line is in, by its place in the list; -1 before the first. */
export function sectionAt(sections: readonly LogSection[], line: number): number {
  return sections.findLastIndex(({ first }) => first <= line);
}
