import { expect, test } from "vitest";
import { lockSentence, type NamedLock } from "../../../src/model/workspace/lock-text.ts";

const SINCE = "2026-01-02T03:04:05.678Z";
const UNTIL = "2026-01-02T04:00:00.000Z";
const MANUAL: NamedLock = {
  reason: "MANUAL",
  since: SINCE,
  expiresAt: null,
  note: null,
  actorName: "alice",
  runNumber: null,
};
const INTERRUPTED: NamedLock = { ...MANUAL, reason: "APPLY_INTERRUPTED", actorName: null, runNumber: 12 };

test.each<[NamedLock, string]>([
  [MANUAL, `The workspace is locked by alice since ${SINCE}.`],
  [{ ...MANUAL, expiresAt: UNTIL }, `The workspace is locked by alice since ${SINCE} until ${UNTIL}.`],
  [{ ...MANUAL, note: 'moving "house"' }, `The workspace is locked by alice since ${SINCE}: "moving \\"house\\"".`],
  [{ ...MANUAL, actorName: null }, `The workspace is locked by a person since ${SINCE}.`],
  [{ ...INTERRUPTED, runNumber: null }, `The workspace is locked since ${SINCE}: the apply of a run was interrupted.`],
  [{ ...MANUAL, note: "x".repeat(200) }, `The workspace is locked by alice since ${SINCE}: "${"x".repeat(200)}".`],
  [INTERRUPTED, `The workspace is locked since ${SINCE}: the apply of run 12 was interrupted.`],
])("%j is one sentence", (lock, sentence) => {
  expect(lockSentence(lock)).toBe(sentence);
});

test("a long note is cut off", () => {
  const sentence = lockSentence({ ...MANUAL, note: "x".repeat(10_000) });
  expect(sentence).toBe(`The workspace is locked by alice since ${SINCE}: "${"x".repeat(200)}…".`);
});
