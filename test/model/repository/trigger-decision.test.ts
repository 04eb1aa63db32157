import { describe, expect, it } from "vitest";
import {
  asksToSkip,
  isStored,
  judgeTrigger,
  skipped,
  titleOf,
  TRIGGER_REASONS,
  withBrake,
} from "../../../src/model/repository/trigger-decision.ts";

const FACTS = {
  notFollowed: null,
  isTag: false,
  isMoved: true,
  isDeleted: false,
  skips: false,
  after: { digest: "b" },
  done: "a",
  before: "a",
};

describe("a push", () => {
  it.each([
    ["starts a run if the inputs are others than those of the newest run", {}, "AFFECTED"],
    ["starts none if they are the same", { done: "b" }, "ALREADY_RUN"],
    [
      "starts none in a workspace without a run if the commit before has the same",
      { done: null, before: "b" },
      "INPUTS_UNCHANGED",
    ],
    ["starts one in a workspace without a run if it has others", { done: null }, "AFFECTED"],
    ["starts one in a workspace without a run if it is not known", { done: null, before: null }, "AFFECTED"],
    [
      "starts one again if a change is taken back that was run",
      { after: { digest: "a" }, done: "b", before: "b" },
      "AFFECTED",
    ],
    ["starts none if its message says so", { skips: true }, "MESSAGE_SAYS_SKIP"],
    ["does not mind the message where nothing changed", { skips: true, done: "b" }, "ALREADY_RUN"],
    ["starts none without the folder", { after: { problem: "is not there." } }, "SOURCE_UNREADABLE"],
    ["starts none where it is not followed", { notFollowed: "It follows nothing.", done: "b" }, "NOT_TRACKED"],
    ["starts none if it deletes the branch", { isDeleted: true }, "REF_DELETED"],
  ])("%s", (_words, facts, reason) => {
    const verdict = judgeTrigger({ ...FACTS, ...facts });
    expect(verdict.reason).toBe(reason);
    expect(verdict.outcome).toBe(reason === "AFFECTED" ? "RUN_CREATED" : "SKIPPED");
    expect(isStored(verdict)).toBe(["AFFECTED", "MESSAGE_SAYS_SKIP", "SOURCE_UNREADABLE"].includes(reason));
  });
});

it("a verdict is stored unless it follows from the repository", () => {
  expect(TRIGGER_REASONS.filter((reason) => !isStored(skipped(reason, "")))).toEqual([
    "ALREADY_RUN",
    "COMMIT_MISSING",
    "INPUTS_UNCHANGED",
    "NOT_TRACKED",
    "REF_DELETED",
    "SUPERSEDED",
  ]);
});

it("a verdict says why", () => {
  const message = (facts: object) => judgeTrigger({ ...FACTS, ...facts }).message;
  expect(message({})).toBe("The change concerns files that the workspace reads.");
  expect(message({ isTag: true, isMoved: false })).toBe("The tag is new.");
  expect(message({ notFollowed: "It follows nothing." })).toBe("It follows nothing.");
  expect(message({ isDeleted: true })).toBe("The branch was deleted, which starts no run.");
  expect(message({ isDeleted: true, isTag: true })).toBe("The tag was deleted, which starts no run.");
  expect(message({ isTag: true })).toBe("The tag was there before. Only a new tag starts a run: create one.");
  expect(message({ after: { problem: "is not there." } })).toBe("The source cannot be read: it is not there.");
  expect(message({ done: "b" })).toBe("The newest run was made from the same inputs.");
  expect(message({ done: null, before: "b" })).toBe("The change does not concern files that the workspace reads.");
  expect(message({ skips: true })).toBe("The message of the commit contains [skip holdpoint].");
  // Once a run was made, what the commit before had does not matter.
  expect(judgeTrigger({ ...FACTS, before: "b" }).reason).toBe("AFFECTED");
});

describe("a tag", () => {
  const tag = { ...FACTS, isTag: true };
  it("starts a run when it is new, of the same inputs too, and none when it moves", () => {
    expect(judgeTrigger({ ...tag, isMoved: false, done: "b" }).reason).toBe("AFFECTED");
    expect(judgeTrigger({ ...tag, isMoved: true }).reason).toBe("TAG_MOVED");
    expect(judgeTrigger({ ...tag, isDeleted: true })).toMatchObject({ reason: "REF_DELETED", outcome: "SKIPPED" });
  });
});

describe("a push of many", () => {
  const affected = judgeTrigger(FACTS);
  const one = (id: number) => ({ id, verdict: affected });
  const other = { id: 9, verdict: judgeTrigger({ ...FACTS, done: "b" }) };

  it("waits as a whole if it starts more runs than it may", () => {
    const held = withBrake([one(1), other, one(2)], 1);
    expect(held.map(({ id, verdict }) => [id, verdict.outcome, verdict.reason])).toEqual([
      [1, "WAITING_FOR_OK", "TOO_MANY"],
      [9, "SKIPPED", "ALREADY_RUN"],
      [2, "WAITING_FOR_OK", "TOO_MANY"],
    ]);
    expect(held.every(({ verdict }) => isStored(verdict) === (verdict.outcome !== "SKIPPED"))).toBe(true);
    expect(held[0]?.verdict.message).toContain("more than 1 runs");
  });

  it("does not wait with as many as it may", () => {
    const judged = [one(1), other, one(2)];
    expect(withBrake(judged, 2)).toEqual(judged);
  });
});

it("reads messages of any length", () => {
  const long = `fix\n${"x".repeat(1024 * 1024)} [Skip Holdpoint]`;
  expect(asksToSkip(long)).toBe(true);
  expect(asksToSkip("[skip ci]")).toBe(false);
  expect(titleOf(long, "abc")).toBe("fix");
  expect(titleOf("x".repeat(1024 * 1024), "abc")).toHaveLength(200);
  expect(titleOf(" \tfix\u0007it \nmore", "abc")).toBe("fix it");
  expect(titleOf("\n\n", "0123456789abcdef")).toBe("0123456789ab");
});
