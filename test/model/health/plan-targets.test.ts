import { expect, test } from "vitest";
import { planTargets } from "../../../src/model/health/plan-targets.ts";
import { placeOfTarget } from "../../../src/model/health/target-hash.ts";
import { NO_EXPECTATION, type Probe } from "../../../src/model/probe/probe.ts";
import type { ProbeValues } from "../../../src/model/probe/resolve-probe.ts";

const PROBE: Probe = {
  name: "db",
  kind: "TCP",
  use: "HEALTH",
  weight: "REQUIRED",
  from: "SERVER",
  target: "db.example.com:5432",
  method: "GET",
  paths: [],
  headers: [],
  body: null,
  variables: null,
  serverName: null,
  followRedirects: true,
  expect: NO_EXPECTATION,
  intervalSeconds: 30,
  timeoutMs: 5000,
};
const WORKSPACE = { id: "ws_1", runnerPoolId: "rp_1" };
const NO_VALUES: ProbeValues = { outputs: new Map(), variables: new Map() };

test("a target has its address, its request, its interval and its place", () => {
  const key = { workspaceId: "ws_1", probe: "db", number: 0 };
  expect(planTargets(WORKSPACE, [PROBE], NO_VALUES, "APPLIED")).toEqual([
    {
      ...key,
      weight: "REQUIRED",
      pool: "public",
      intervalMs: 30_000,
      shard: placeOfTarget(key).shard,
      address: "db.example.com:5432",
      unresolved: null,
      request: {
        kind: "TCP",
        host: "db.example.com",
        port: 5432,
        body: null,
        expect: NO_EXPECTATION,
        timeoutMs: 5000,
      },
    },
  ]);
});

test("each element of a list is a target with a number and a shard of its own", () => {
  const hosts = { value: ["a", "b", "c"], sensitive: false };
  const probe = { ...PROBE, target: "{{outputs.hosts[*]}}:5432" };
  const planned = planTargets(WORKSPACE, [probe], { ...NO_VALUES, outputs: new Map([["hosts", hosts]]) }, "APPLIED");
  expect(planned.map(({ number, address }) => [number, address])).toEqual([
    [0, "a:5432"],
    [1, "b:5432"],
    [2, "c:5432"],
  ]);
  expect(planned.map(({ shard }) => shard)).toEqual(planned.map((target) => placeOfTarget(target).shard));
});

test.each([
  ["NOTHING", "Nothing is applied yet."],
  ["DESTROYED", "The applied resources are destroyed."],
] as const)("after %s a probe has one target that is not probed, with the reason", (deployed, unresolved) => {
  expect(planTargets(WORKSPACE, [PROBE], NO_VALUES, deployed)).toMatchObject([
    { probe: "db", number: 0, address: null, request: null, unresolved },
  ]);
});

test("a template without a value gives one target with the reason", () => {
  const probe = { ...PROBE, target: "{{outputs.host}}:5432" };
  expect(planTargets(WORKSPACE, [probe], NO_VALUES, "APPLIED")).toMatchObject([
    { number: 0, address: null, request: null, unresolved: 'There is no output "host".' },
  ]);
});

test("only probes of a network kind that are for health have targets", () => {
  const probes: Probe[] = [
    { ...PROBE, name: "verify", use: "VERIFY" },
    { ...PROBE, name: "both", use: "BOTH", weight: "INFORMATIONAL" },
    { ...PROBE, name: "command", kind: "COMMAND", target: "true" },
  ];
  const planned = planTargets(WORKSPACE, probes, NO_VALUES, "APPLIED");
  expect(planned.map(({ probe, weight }) => [probe, weight])).toEqual([["both", "INFORMATIONAL"]]);
});

test.each([
  ["SERVER", "rp_1", "public"],
  ["RUNNERS", "rp_1", "rp_1"],
  ["RUNNERS", null, "shared"],
] as const)("from %s in a workspace of the pool %s: the probers are %s", (from, runnerPoolId, pool) => {
  const planned = planTargets({ id: "ws_1", runnerPoolId }, [{ ...PROBE, from }], NO_VALUES, "APPLIED");
  expect(planned.map((target) => target.pool)).toEqual([pool]);
});
