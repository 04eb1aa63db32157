import { describe, expect, it } from "vitest";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import type { ProbeValues } from "../../../src/model/probe/resolve-probe.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import { planProbes } from "../../../src/model/verification/probe-plan.ts";
import {
  isNewForRunners,
  isNoWork,
  missingProberText,
  withReported,
  withReportedBaseline,
  workOfRunners,
} from "../../../src/model/verification/sampling.ts";
import { probeOf } from "../../support/probe-targets.ts";

const NO_VALUES: ProbeValues = { outputs: new Map(), variables: new Map() };
const ROUND = { at: "2026-03-01T00:00:00.000Z", settings: { intervalSeconds: 10 }, expectGone: false };
const PASS = passedSample(3);
const FAIL = failedSample("STATUS", "It answered with status 500.");

const own = (more: Partial<Probe> = {}): Probe => probeOf({ from: "RUNNERS", target: "http://a.test/", ...more });
const server = (more: Partial<Probe>): Probe => probeOf({ from: "SERVER", ...more });
const command = (more: Partial<Probe> = {}): Probe =>
  own({ name: "smoke", kind: "COMMAND", target: "make smoke", ...more });
const planned = (...probes: Probe[]) => planProbes(probes, NO_VALUES, { probes: [] }, { expectGone: false });
const progressOf = (...probes: Probe[]) => planned(...probes).map(({ progress }) => progress);

describe("the work of runners", () => {
  it("is requests of their probes, and commands after the apply", () => {
    const all = planned(own(), command({ timeoutMs: 7000 }), server({ name: "server", target: "http://b.test/" }));
    const { requests, commands } = workOfRunners(all, "RUNNING");
    expect(requests).toEqual([{ name: "web", target: 0, resolvedTarget: "http://a.test/", request: all[0]?.request }]);
    expect(commands).toEqual([
      { name: "smoke", target: 0, resolvedTarget: null, command: "make smoke", timeoutMs: 7000 },
    ]);
    const before = workOfRunners(all, "PENDING");
    expect([before.requests.length, before.commands]).toEqual([1, []]);
  });

  it("is none for a target that is not known", () => {
    expect(isNoWork(workOfRunners(planned(own({ target: "{{outputs.none}}" })), "RUNNING"))).toBe(true);
    const lost = planned(command()).map((one) => ({ ...one, unresolved: "It is not known." }));
    expect(isNoWork(workOfRunners(lost, "RUNNING"))).toBe(true);
    expect(isNoWork(workOfRunners(planned(own()), "RUNNING"))).toBe(false);
    expect(isNoWork(workOfRunners(planned(command()), "RUNNING"))).toBe(false);
  });

  it("is new while a target was not sampled", () => {
    const all = planned(own());
    expect(isNewForRunners(all)).toBe(true);
    expect(isNewForRunners(planned(command()))).toBe(true);
    const sampled = all.map((one) => ({ ...one, progress: { ...one.progress, attempts: 1 } }));
    expect(isNewForRunners(sampled)).toBe(false);
    expect(isNewForRunners(planned(server({ target: "http://b.test/" })))).toBe(false);
  });
});

describe("a report of a runner", () => {
  const key = { name: "web", target: 0, resolvedTarget: "http://a.test/" };

  it("adds the first sample of each target", () => {
    const [web] = withReported(progressOf(own()), [{ ...key, samples: [PASS, FAIL] }], ROUND);
    expect(web).toMatchObject({ attempts: 1, passesInARow: 1, failuresInARow: 0, sampledAt: ROUND.at });
    const [failed] = withReported(progressOf(own()), [{ ...key, samples: [FAIL] }], ROUND);
    expect(failed).toMatchObject({ attempts: 1, failuresInARow: 1, lastFailure: "It answered with status 500." });
  });

  it("changes nothing of other targets, of the server's probes, and without a sample", () => {
    const runners = progressOf(own());
    for (const reported of [
      [],
      [{ ...key, samples: [] }],
      [{ ...key, target: 1, samples: [PASS] }],
      [{ ...key, name: "x", samples: [PASS] }],
      [{ ...key, resolvedTarget: null, samples: [PASS] }],
    ]) {
      expect(withReported(runners, reported, ROUND)).toEqual(runners);
      expect(withReportedBaseline(runners, reported)).toEqual(runners);
    }
    const others = progressOf(server({ target: "http://a.test/" }));
    expect(withReported(others, [{ ...key, samples: [PASS] }], ROUND)).toEqual(others);
  });

  it("before the apply says whether one of its samples is good", () => {
    const baseline = (...samples: (typeof PASS)[]) =>
      withReportedBaseline(progressOf(own()), [{ ...key, samples }])[0]?.baseline;
    expect([baseline(FAIL, PASS), baseline(FAIL), baseline(failedSample("NO_PROBER", "None."))]).toEqual([
      true,
      false,
      null,
    ]);
  });
});

describe("without a runner that sends probes, the text", () => {
  const runners = { poolName: null, namesPool: false, labels: [], isOffered: false };
  it.each([
    [{ isOffered: true }, null],
    [{}, "No runner that may take the runs of the workspace sends probes. Start one with HOLDPOINT_RUNNER_PROBES=50."],
    [
      { poolName: "inner", namesPool: true, labels: ["gpu", "eu"] },
      "No runner of the pool inner with the labels gpu, eu sends probes. Start one with HOLDPOINT_RUNNER_PROBES=50.",
    ],
    [{ namesPool: true }, "The runner pool of the workspace was deleted. Choose another one."],
  ])("for %j is %j", (more, text) => {
    expect(missingProberText({ ...runners, ...more })).toBe(text);
  });
});
