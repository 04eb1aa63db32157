/** What becomes of a run by what was found about it. */
import { describe, expect, it } from "vitest";
import {
  type Finding,
  isOpenFailure,
  rejecting,
  type Verdict,
  verdictBeforeApply,
  verdictOf,
} from "../../../src/model/policy/verdict.ts";
import { DBA, finding } from "../../support/findings.ts";

const MANDATORY = finding({ id: "denial", level: "MANDATORY" });
const SOFT = finding({ id: "ask" });
const ADVISORY = finding({ id: "advice", level: "ADVISORY" });
const QUIET = finding({ id: "quiet", level: "ADVISORY", stopsAutoApply: false });
const DEMAND = finding({ id: "demand", level: "MANDATORY", approvers: DBA });

const ids = (found: readonly Finding[]): string[] => found.map(({ id }) => id);
const short = ({ verdict, denials, asks, demands, advice, warnings }: Verdict) => {
  return [verdict, ids(denials), ids(asks), ids(demands), ids(advice), warnings];
};

describe("the verdict on a plan", () => {
  it.each<[string, Finding[], ReturnType<typeof short>]>([
    ["nothing", [], ["passed", [], [], [], [], 0]],
    ["advice", [ADVISORY, QUIET], ["passed", [], [], [], ["advice", "quiet"], 1]],
    ["a failure that people may override", [ADVISORY, SOFT], ["asks", [], ["ask"], [], ["advice"], 1]],
    ["a demand, of whatever level", [DEMAND], ["asks", [], [], ["demand"], [], 0]],
    ["a denial, whatever is beside it", [SOFT, DEMAND, MANDATORY], ["denied", ["denial"], ["ask"], ["demand"], [], 0]],
    ["an error, as a violation of its level", [finding({ id: "e", status: "ERROR" })], ["asks", [], ["e"], [], [], 0]],
  ])("of %s", (_name, findings, expected) => {
    expect(short(verdictOf(findings))).toEqual(expected);
  });

  it.each(["WAIVED", "OVERRIDDEN", "APPROVED"] as const)("does not count what is %s", (status) => {
    const covered = [MANDATORY, SOFT, ADVISORY, DEMAND].map((one): Finding => ({ ...one, status }));
    expect(short(verdictOf(covered))).toEqual(["passed", [], [], [], [], 0]);
  });
});

describe("the verdict before an apply", () => {
  const judgeIds = new Set(["pver_1"]);
  const before = (...findings: Finding[]) => short(verdictBeforeApply(findings, judgeIds));
  const again = (of: Finding, more: Partial<Finding> = {}): Finding => ({ ...of, point: "PRE_APPLY", ...more });

  it("accepts what people let pass at the plan gate, also where it is found again", () => {
    expect(before(SOFT, DEMAND)).toEqual(["passed", [], [], [], [], 0]);
    expect(before(SOFT, again(SOFT))).toEqual(["passed", [], [], [], [], 0]);
    expect(before(DEMAND, again(DEMAND))).toEqual(["passed", [], [], [], [], 0]);
  });

  it("does not accept what is found for the first time", () => {
    expect(before(again(SOFT))).toEqual(["asks", [], ["ask"], [], [], 0]);
    expect(before(SOFT, again(SOFT, { id: "other", fingerprint: "cd" }))).toEqual(["asks", [], ["other"], [], [], 0]);
  });

  it("never accepts a denial: only an exception lets it pass", () => {
    expect(before(MANDATORY)).toEqual(["denied", ["denial"], [], [], [], 0]);
    expect(before(MANDATORY, again(MANDATORY))[0]).toBe("denied");
    expect(before({ ...MANDATORY, status: "WAIVED" })[0]).toBe("passed");
  });

  it("does not accept what an exception covered at the gate, where no one was asked", () => {
    expect(before(finding({ id: "ended", wasWaived: true }))).toEqual(["asks", [], ["ended"], [], [], 0]);
    // It still covers it.
    expect(before(finding({ wasWaived: true, status: "WAIVED" }))[0]).toBe("passed");
  });

  it("counts advice, and leaves out what judges of earlier versions found", () => {
    expect(before(ADVISORY)).toEqual(["passed", [], [], [], ["advice"], 1]);
    expect(before({ ...MANDATORY, judgeId: "pver_0" })).toEqual(["passed", [], [], [], [], 0]);
    // Equal words of the earlier version were accepted.
    expect(before({ ...SOFT, judgeId: "pver_0" }, again(SOFT))).toEqual(["passed", [], [], [], [], 0]);
  });
});

describe("a failure that people may override", () => {
  it("is at the level SOFT_MANDATORY, no demand, and not covered", () => {
    expect([SOFT, { ...SOFT, status: "ERROR" as const }].map(isOpenFailure)).toEqual([true, true]);
    const others = [MANDATORY, ADVISORY, DEMAND, finding({ approvers: DBA })];
    const covered = (["WAIVED", "OVERRIDDEN"] as const).map((status) => ({ ...SOFT, status }));
    expect([...others, ...covered].map(isOpenFailure)).toEqual(Array(6).fill(false));
  });
});

it("names what rejects a run: denials, or else what no gate is left for", () => {
  expect(ids(rejecting(verdictOf([SOFT, MANDATORY])))).toEqual(["denial"]);
  expect(ids(rejecting(verdictOf([DEMAND, SOFT, ADVISORY])))).toEqual(["ask", "demand"]);
});
