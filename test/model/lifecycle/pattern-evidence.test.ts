/** Each word of the catalogue is proven by a real message. */
import { expect, test } from "vitest";
import { matches, patternOf, toMessage } from "../../../src/model/lifecycle/failure-classification.ts";
import type { FailurePattern } from "../../../src/model/lifecycle/failure-pattern.ts";
import { FAILURE_PATTERNS } from "../../../src/model/lifecycle/failure-patterns.ts";
import { FAILURE_REASON_NAMES, FAILURE_REASONS } from "../../../src/model/lifecycle/failure-reason.ts";
import { FAILURE_CORPUS } from "../../support/failure-corpus.ts";

/** An address, a file of a repository or a run: what a person can look up. */
const LOOKED_UP = /^https:\/\/|^[\w.-]+\/[\w.-]+@[0-9a-f]{10}:|, seen in a run$/;

/** The messages with a source whose reason is found as a person judged it. */
const recognised = FAILURE_CORPUS.filter(({ source }) => LOOKED_UP.test(source)).flatMap((entry) => {
  const message = toMessage(entry);
  const found = patternOf([message], entry.engine ?? null);
  return found !== undefined && found.reason === entry.reason ? [{ ...entry, message }] : [];
});

/** Returns the pattern once for each of its words, with that word alone. */
function singleWords(pattern: FailurePattern): [word: string, alone: FailurePattern][] {
  const { summaries = [], codes = [], forms = [], texts = [], within = [], ...rest } = pattern;
  const limits = { ...rest, ...(within.length > 0 && { within }) };
  return [
    ...summaries.map((word): [string, FailurePattern] => [`summary ${word}`, { ...limits, summaries: [word] }]),
    ...codes.map((word): [string, FailurePattern] => [`code ${word}`, { ...limits, codes: [word] }]),
    ...forms.map((word): [string, FailurePattern] => [`form ${word}`, { ...limits, forms: [word] }]),
    ...texts.map((word): [string, FailurePattern] => [`text ${word}`, { ...limits, texts: [word] }]),
    ...within.map((word): [string, FailurePattern] => [`within ${word}`, { ...pattern, within: [word] }]),
  ];
}

/** Whether a message has the reason of the pattern, comes from an engine that it is for, and has one of its words. */
function isProven(pattern: FailurePattern): boolean {
  return recognised.some(
    ({ reason, engine, message }) =>
      reason === pattern.reason &&
      (pattern.engine === undefined || pattern.engine === engine) &&
      matches(pattern, message),
  );
}

test("each word of each pattern recognises a message of the corpus", () => {
  const unproven = FAILURE_PATTERNS.flatMap((pattern, index) =>
    singleWords(pattern).flatMap(([word, alone]) => (isProven(alone) ? [] : [`${index} ${pattern.reason}: ${word}`])),
  );
  expect(unproven).toEqual([]);
});

test("no code is listed that a form of its pattern recognises", () => {
  const covered = FAILURE_PATTERNS.flatMap(({ codes = [], forms = [] }) =>
    codes.filter((code) => forms.some((form) => form.test(code))),
  );
  expect(covered).toEqual([]);
});

test("each sample that the catalogue shows is a message of the corpus", () => {
  const texts = FAILURE_CORPUS.filter(({ source }) => LOOKED_UP.test(source)).map(({ reason, summary, detail }) => ({
    reason,
    text: oneLine(detail === "" ? summary : `${summary}: ${detail}`),
  }));
  const invented = FAILURE_REASON_NAMES.filter((name) => {
    const sample = oneLine(FAILURE_REASONS[name].sample);
    return !texts.some(({ reason, text }) => reason === name && text.includes(sample));
  });
  expect(invented).toEqual([]);
});

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
