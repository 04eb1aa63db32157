import { describe, expect, it } from "vitest";
import type { CheckBlock, CheckReport } from "../../../src/model/plan/check-block.ts";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import type { ProbeValues } from "../../../src/model/probe/resolve-probe.ts";
import {
  baselineOf,
  keyOf,
  planProbes,
  sampleOfChecks,
  withBaseline,
  withChecksProbe,
  withSamples,
} from "../../../src/model/verification/probe-plan.ts";
import { newProgress } from "../../../src/model/verification/verification.ts";
import { probeOf } from "../../support/probe-targets.ts";

const values = (outputs: Record<string, string[]> = {}): ProbeValues => ({
  outputs: new Map(Object.entries(outputs).map(([name, value]) => [name, { value, sensitive: false }])),
  variables: new Map(),
});
const PASS = passedSample(3);
const FAIL = failedSample("STATUS", "It answered with status 500.");
const LOST = failedSample("NO_PROBER", "Nothing was tried.");
const ROUND = { at: "2026-03-01T00:00:00.000Z", settings: { intervalSeconds: 10 }, expectGone: false };
const ips = "http://{{outputs.ips[*]}}/";

function plan(probes: Probe[], { outputs = {}, before = [], expectGone = false }: Parameters<typeof planOf>[1] = {}) {
  return planOf(probes, { outputs, before, expectGone });
}
function planOf(
  probes: Probe[],
  options: { outputs?: Record<string, string[]>; before?: ReturnType<typeof newProgress>[]; expectGone?: boolean },
) {
  const { outputs, before = [], expectGone = false } = options;
  return planProbes(probes, values(outputs), { probes: before }, { expectGone });
}
const targets = (planned: ReturnType<typeof plan>) =>
  planned.map(({ progress: { name, target, resolvedTarget } }) => [name, target, resolvedTarget]);

describe("the targets of probes", () => {
  it("are those of each element of a list, with their progress so far", () => {
    const probe = probeOf({ target: ips });
    const first = plan([probe], { outputs: { ips: ["10.0.0.1", "10.0.0.2"] } });
    expect(targets(first)).toEqual([
      ["web", 0, "http://10.0.0.1/"],
      ["web", 1, "http://10.0.0.2/"],
    ]);
    expect(first.map(({ request, unresolved }) => [request?.kind, unresolved])).toEqual([
      ["HTTP", null],
      ["HTTP", null],
    ]);
    const before = first.map(({ progress }) => ({ ...progress, attempts: 4 + progress.target }));
    const again = plan([probe], { outputs: { ips: ["10.0.0.1", "10.0.0.3"] }, before });
    expect(again.map(({ progress }) => progress.attempts)).toEqual([4, 0]);
  });

  it("are none of probes that are for health alone, and of check blocks of what was destroyed", () => {
    const probes = [
      probeOf({ name: "health", use: "HEALTH", target: "http://a/" }),
      probeOf({ name: "both", use: "BOTH", target: "http://b/" }),
      probeOf({ name: "checks", kind: "CHECKS", target: "" }),
    ];
    expect(targets(plan(probes)).map(([name]) => name)).toEqual(["both", "checks"]);
    expect(targets(plan(probes, { expectGone: true })).map(([name]) => name)).toEqual(["both"]);
  });

  it("say why one is not known", () => {
    const [lost] = plan([probeOf({ target: "http://{{outputs.none}}/", weight: "INFORMATIONAL" })]);
    expect(lost).toMatchObject({ request: null, unresolved: expect.stringContaining("none") });
    expect(lost?.progress).toMatchObject({ target: 0, resolvedTarget: null, weight: "INFORMATIONAL" });
  });

  it("of what is not sent over the network have no request", () => {
    const [checks, outside] = plan([
      probeOf({ name: "checks", kind: "CHECKS", target: "x" }),
      probeOf({ name: "outside", kind: "EXTERNAL", target: "check_1" }),
    ]);
    expect([checks?.request, checks?.unresolved, checks?.progress.resolvedTarget]).toEqual([null, null, null]);
    expect([outside?.request, outside?.progress.resolvedTarget]).toEqual([null, "check_1"]);
  });

  it("after a destroy are those from before", () => {
    const probe = probeOf({ target: ips });
    const before = plan([probe], { outputs: { ips: ["10.0.0.1", "10.0.0.2"] } }).map(({ progress }) => progress);
    expect(targets(plan([probe], { before, expectGone: true }))).toEqual([
      ["web", 0, "http://10.0.0.1/"],
      ["web", 1, "http://10.0.0.2/"],
    ]);
    const other = newProgress({
      name: "other",
      target: 0,
      weight: "REQUIRED",
      from: "SERVER",
      resolvedTarget: "http://c/",
    });
    expect(plan([probe], { before: [other], expectGone: true })).toMatchObject([{ request: null }]);
    expect(plan([probe], { before })).toMatchObject([{ request: null }]);
  });
});

describe("check blocks", () => {
  const block = (address: string, status: CheckBlock["status"], problems: string[] = []): CheckBlock => {
    return { address, status, problems };
  };
  const report = (...blocks: CheckBlock[]): CheckReport => {
    const failedCount = blocks.filter(({ status }) => status === "FAILED" || status === "ERRORED").length;
    return { blocks, count: blocks.length, failedCount, afterApply: true };
  };

  it("are shown by a probe of their own, unless one asks for them or there are none", () => {
    const web = probeOf();
    const checks = probeOf({ name: "mine", kind: "CHECKS" });
    expect(withChecksProbe([web], null)).toEqual([web]);
    expect(withChecksProbe([web, checks], report())).toEqual([web, checks]);
    expect(withChecksProbe([web], report())).toMatchObject([
      web,
      { name: "check blocks", kind: "CHECKS", use: "VERIFY", weight: "INFORMATIONAL", from: "SERVER" },
    ]);
    expect(withChecksProbe([{ ...checks, use: "HEALTH" }], report())).toHaveLength(2);
  });

  it("have one result", () => {
    expect(sampleOfChecks(null)).toEqual(failedSample("UNRESOLVED", "The state has no results of check blocks."));
    expect(sampleOfChecks(report())).toEqual(passedSample(0));
    expect(sampleOfChecks(report(block("check.a", "PASSED")))).toEqual(passedSample(0));
    expect(sampleOfChecks(report(block("check.a", "PASSED"), block("check.b", "UNKNOWN")))).toEqual(
      failedSample("UNRESOLVED", "The result of check.b is not known."),
    );
    const failing = block("check.b", "FAILED", ["It is down."]);
    expect(sampleOfChecks(report(block("check.a", "UNKNOWN"), failing))).toEqual(
      failedSample("CHECKS", "check.b fails: It is down."),
    );
    expect(sampleOfChecks(report(failing, block("check.c", "ERRORED"), block("check.d", "FAILED")))).toEqual(
      failedSample("CHECKS", "check.b fails: It is down. 2 more do not pass."),
    );
    expect(sampleOfChecks({ ...report(), failedCount: 1 })).toEqual(failedSample("CHECKS", "A check block fails."));
  });

  it("are asked once: the state does not change any more", () => {
    const planned = plan([probeOf({ name: "checks", kind: "CHECKS" }), probeOf({ target: "http://a/" })]);
    const [checks, web] = withSamples(planned, [PASS, PASS], ROUND, { probes: [] });
    expect([checks?.final, web?.final]).toEqual([true, undefined]);
    expect(
      withSamples(planned, [failedSample("UNRESOLVED", "No."), null], ROUND, { probes: [] })[0]?.final,
    ).toBeUndefined();
  });
});

describe("samples of a round", () => {
  it("are added to the progress as it is now; what is gone is dropped", () => {
    const planned = plan([probeOf({ target: "http://a/" }), probeOf({ name: "b", target: "http://b/" })]);
    const now = planned.map(({ progress }) => ({ ...progress, attempts: 5 }));
    const gone = newProgress({ name: "gone", target: 0, weight: "REQUIRED", from: "SERVER", resolvedTarget: null });
    const after = withSamples(planned, [PASS, null], ROUND, { probes: [...now, gone] });
    expect(after.map(({ name, attempts, passesInARow }) => [name, attempts, passesInARow])).toEqual([
      ["web", 6, 1],
      ["b", 5, 0],
    ]);
    expect(withSamples(planned, [FAIL], ROUND, { probes: [] }).map(({ attempts }) => attempts)).toEqual([1, 0]);
  });

  it("are told apart by name, number and address", () => {
    const keys = [
      { name: "a", target: 0, resolvedTarget: null },
      { name: "a", target: 1, resolvedTarget: null },
      { name: "b", target: 0, resolvedTarget: null },
      { name: "a", target: 0, resolvedTarget: "x" },
    ].map(keyOf);
    expect(new Set(keys).size).toBe(4);
  });
});

describe("the result before the apply", () => {
  it("of a target is good if one of its samples is, and not known if nothing was found out", () => {
    const [{ progress } = { progress: undefined }] = plan([probeOf({ target: "http://a/" })]);
    if (progress === undefined) throw new Error("There is no target.");
    const baseline = (...samples: (typeof PASS)[]) => withBaseline(progress, samples).baseline;
    expect([baseline(), baseline(FAIL, PASS), baseline(FAIL, LOST), baseline(LOST)]).toEqual([null, true, false, null]);
    expect(withBaseline(progress, [])).toBe(progress);
  });

  it("of all is that of the required ones", () => {
    const one = (baseline: boolean | null, weight: "REQUIRED" | "INFORMATIONAL" = "REQUIRED") => ({ weight, baseline });
    expect(baselineOf([])).toBeNull();
    expect(baselineOf([one(false, "INFORMATIONAL")])).toBeNull();
    expect(baselineOf([one(true), one(false, "INFORMATIONAL")])).toBe(true);
    expect(baselineOf([one(true), one(null)])).toBeNull();
    expect(baselineOf([one(true), one(null), one(false)])).toBe(false);
  });
});
