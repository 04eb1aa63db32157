import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decide } from "../../../src/model/lifecycle/run-machine.ts";
import { AUTO_APPLY_MODES } from "../../../src/model/plan/auto-apply.ts";
import type { RollbackCause } from "../../../src/model/run/run-cause.ts";
import {
  rollbackAutoApply,
  downgradedProviders,
  goesBack,
  isEngineDowngrade,
  planRisks,
} from "../../../src/model/run/rollback.ts";
import { aWorkspace } from "../../support/decided-run.ts";

const CAUSE: RollbackCause = { type: "ROLLBACK", mode: "AUTO_SAFE", toRunId: "run_1", risks: [] };
const lock = (...providers: [string, string][]): string =>
  providers
    .map(
      ([name, version]) =>
        `provider "${name}" {\n  version     = "${version}"\n  constraints = "~> 1.0"\n  hashes = [\n    "h1:x",\n  ]\n}\n`,
    )
    .join("\n");
const AWS = "registry.terraform.io/hashicorp/aws";
const NULL = "registry.terraform.io/hashicorp/null";

describe("providers that an earlier source locks in an older version", () => {
  it.each([
    ["5.1.0", "5.2.0", [AWS]],
    ["5.9.0", "5.10.0", [AWS]],
    ["5.2.0", "5.2.0", []],
    ["6.0.0", "5.2.0", []],
    ["5.2.0-beta1", "5.2.0", [AWS]],
  ])("%s before %s", (then, now, found) => {
    expect(downgradedProviders(lock([AWS, then], [NULL, "3.2.0"]), lock([NULL, "3.2.0"], [AWS, now]))).toEqual(found);
  });

  it("are only those that both have", () => {
    expect(downgradedProviders(lock([NULL, "1.0.0"]), lock([AWS, "5.0.0"]))).toEqual([]);
    expect(downgradedProviders("not a lock file", "provider {")).toEqual([]);
  });
});

describe("a workspace goes back", () => {
  const run = { kind: "DEPLOY", trigger: "MANUAL", cause: null } as const;
  const workspace = aWorkspace({ rollback: { mode: "PROPOSE", guards: [] } });
  const seen = { baselinePassed: true, isFrozen: false };

  it("after a run that was good before, or of which that is not known", () => {
    expect(goesBack(run, workspace, seen)).toBe(true);
    expect(goesBack(run, workspace, { ...seen, baselinePassed: null })).toBe(true);
  });

  const held = { reason: "MANUAL", runId: null, actorId: null, note: null, since: "", expiresAt: null } as const;
  it.each([
    ["what was red was red before", run, workspace, { ...seen, baselinePassed: false }],
    ["a freeze window is open", run, workspace, { ...seen, isFrozen: true }],
    ["the mode is OFF", run, aWorkspace(), seen],
    ["it is locked", run, { ...workspace, lock: held }, seen],
    ["it is paused", run, { ...workspace, paused: true }, seen],
    ["it was destroyed", { ...run, kind: "DESTROY" as const }, workspace, seen],
    ["the run is a rollback of a person", { ...run, trigger: "ROLLBACK" as const }, workspace, seen],
    ["the run is a rollback of the system", { ...run, trigger: "RETRY" as const, cause: CAUSE }, workspace, seen],
  ])("never where %s", (_name, of, at, facts) => {
    expect(goesBack(of, at, facts)).toBe(false);
  });
});

test("only AUTO_SAFE without a risk applies anything by itself", () => {
  expect(rollbackAutoApply({ cause: null }, "ALWAYS")).toBe("ALWAYS");
  expect(rollbackAutoApply({ cause: CAUSE }, "NEVER")).toBe("NO_DESTROY");
  expect(rollbackAutoApply({ cause: { ...CAUSE, risks: ["GUARD_MOVED"] } }, "ALWAYS")).toBe("NEVER");
  expect(rollbackAutoApply({ cause: { ...CAUSE, mode: "PROPOSE" } }, "ALWAYS")).toBe("NEVER");
});

/** Mostly none, so that many plans are safe. */
const count = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) });
const warnings = fc.nat({ max: 1 });
const plan = fc.record({
  version: fc.constant(1),
  stateSerial: fc.constant(0),
  hasChanges: fc.constant(true),
  changes: count,
  destructions: count,
  replacements: count,
  forgets: count,
  imports: count,
  moves: count,
  outputChanges: fc.array(fc.record({ action: fc.constantFrom("CREATE", "UPDATE", "DELETE") }), { maxLength: 2 }),
  actionInvocationCount: count,
  complete: fc.boolean(),
  targeted: fc.constant(false),
});

test("of 1,000 generated plans AUTO_SAFE applies none that deletes, replaces, forgets, warns or is not complete", () => {
  let safe = 0;
  fc.assert(
    fc.property(plan, warnings, fc.constantFrom(...AUTO_APPLY_MODES), (made, warned, autoApply) => {
      const workspace = {
        planApproval: "WHEN_REQUIRED",
        autoApply: rollbackAutoApply({ cause: CAUSE }, autoApply),
        interruptApply: false,
        skipApplying: false,
        locked: false,
        frozen: false,
        stateSerial: 0,
      } as const;
      const decision = decide(
        {
          kind: "DEPLOY",
          status: "PLANNING",
          leg: "PLAN",
          attempt: 1,
          plan: null,
          stopRequestedAtMs: null,
          workspace,
          rules: { plan: false, apply: false },
          planApproved: false,
          policies: { prePlan: false, plan: false, preApply: false },
          warnings: 0,
          probes: true,
          limits: { attempts: 3, forceAfterMs: 60_000 },
        },
        { type: "planned", plan: made, warnings: warned },
      );
      const applies = decision.accepted && decision.change?.status === "APPLYING";
      if (!applies) return;
      safe += 1;
      expect(planRisks(made)).toEqual([]);
      expect(made.destructions + made.replacements + made.forgets + made.actionInvocationCount).toBe(0);
      expect(made.complete).toBe(true);
      expect(warned).toBe(0);
    }),
    { numRuns: 1000 },
  );
  expect(safe).toBeGreaterThan(20);
});

test.each([
  ["1.9.8", "1.11.4", true],
  ["1.11.4", "1.11.4", false],
  ["1.11.10", "1.11.9", false],
  ["1.12.0-beta1", "1.12.0", true],
])("an engine %s is older than %s: %s", (then, now, isOlder) => {
  const terraform = (version: string) => ({ name: "terraform", version });
  expect(isEngineDowngrade(terraform(then), terraform(now))).toBe(isOlder);
  expect(isEngineDowngrade({ name: "tofu", version: then }, terraform(now))).toBe(true);
});
