import { expect, it } from "vitest";
import { type AppliedFacts, syncOf } from "../../../src/model/workspace/workspace-sync.ts";

const [EARLY, LATE] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
const APPLIED: AppliedFacts = { outcome: "APPLIED", isTargeted: false, digest: "a", finishedAt: EARLY };
const head = (digest: string, since = EARLY) => ({ digest, since });

it.each([
  ["is in sync with the same inputs", APPLIED, head("a"), "IN_SYNC", EARLY],
  ["is in sync if a plan of them had no changes", { ...APPLIED, outcome: "NO_CHANGES" }, head("a"), "IN_SYNC", EARLY],
  ["is behind with others, since the head has them", APPLIED, head("b", LATE), "BEHIND", LATE],
  ["is behind with others, since they were applied", { ...APPLIED, finishedAt: LATE }, head("b"), "BEHIND", LATE],
  ["is behind if the apply did not succeed", { ...APPLIED, outcome: null }, head("a"), "BEHIND", EARLY],
  ["is behind if the apply was limited to targets", { ...APPLIED, isTargeted: true }, head("a"), "BEHIND", EARLY],
  ["was never applied without a run", null, head("a"), "NEVER_APPLIED", null],
  ["was never applied if it was destroyed", { ...APPLIED, outcome: "DESTROYED" }, head("a"), "NEVER_APPLIED", EARLY],
  ["is not known without the head", APPLIED, null, "UNKNOWN", null],
  ["is not known if the source was no repository", { ...APPLIED, digest: null }, head("a"), "UNKNOWN", null],
] as const)("%s", (_words, applied, at, state, since) => {
  expect(syncOf({ applied, head: at })).toEqual({ state, since });
});
