/** AUTO_SAFE on plans as engines describe them: from the document to the decision of the machine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../src/model/lifecycle/run-machine.ts";
import { AUTO_APPLY_MODES, type AutoApply } from "../../../src/model/plan/auto-apply.ts";
import { planRisks, rollbackAutoApply } from "../../../src/model/run/rollback.ts";
import { autoApplyOf, DEFAULT_DRIFT_SETTINGS } from "../../../src/model/workspace/drift-settings.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { describePlan } from "../../../src/runner/plan/plan-content.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { planDocuments } from "../../support/plan-arbitrary.ts";

const MODES: [string, (ofWorkspace: AutoApply) => AutoApply][] = [
  [
    "a rollback",
    (ofWorkspace) =>
      rollbackAutoApply({ cause: { type: "ROLLBACK", mode: "AUTO_SAFE", toRunId: "run_1", risks: [] } }, ofWorkspace),
  ],
  [
    "a run that undoes drift",
    (autoApply) => {
      const driftSettings = { ...DEFAULT_DRIFT_SETTINGS, reconcile: "AUTO_SAFE" } as const;
      return autoApplyOf({ kind: "DEPLOY", trigger: "DRIFT" }, { autoApply, driftSettings });
    },
  ],
];

type Document = typeof planDocuments extends fc.Arbitrary<infer Plan> ? Plan : never;

/** The plan as the server has it from the runner. */
function read(document: Document) {
  const content = describePlan(parsePlanJson(JSON.stringify(document)).plan, false, new Masker(6));
  return {
    version: 1,
    stateSerial: 0,
    hasChanges: true,
    targeted: false,
    complete: content.complete,
    ...content.counts,
    outputChanges: content.outputChanges,
    actionInvocationCount: content.actionInvocations?.length ?? 0,
  };
}

/** Whether a document is not complete or takes something away, read apart from the runner. */
function isUnsafe({ complete, resource_changes, deferred_changes = [], action_invocations = [] }: Document): boolean {
  if (!(complete ?? deferred_changes.length === 0) || action_invocations.length > 0) return true;
  return resource_changes.some(({ change: { actions } }) => {
    return actions.length > 1 || actions.includes("delete") || actions.includes("forget");
  });
}

test.each(MODES)("of 1,000 generated documents %s applies none that is not safe, and each that is", (_of, modeOf) => {
  const applied = { safe: 0, unsafe: 0 };
  fc.assert(
    fc.property(planDocuments, fc.nat({ max: 1 }), fc.constantFrom(...AUTO_APPLY_MODES), (document, warned, mode) => {
      const plan = read(document);
      const decision = decide(
        {
          kind: "DEPLOY",
          status: "PLANNING",
          leg: "PLAN",
          attempt: 1,
          plan: null,
          stopRequestedAtMs: null,
          workspace: {
            planApproval: "WHEN_REQUIRED",
            autoApply: modeOf(mode),
            interruptApply: false,
            skipApplying: false,
            locked: false,
            frozen: false,
            stateSerial: 0,
          },
          rules: { plan: false, apply: false },
          planApproved: false,
          policies: { prePlan: false, plan: false, preApply: false },
          warnings: 0,
          probes: true,
          limits: { attempts: 3, forceAfterMs: 60_000 },
        },
        { type: "planned", plan, warnings: warned },
      );
      expect(decision.accepted).toBe(true);
      const applies = decision.accepted && decision.change?.status === "APPLYING";
      expect(applies).toBe(!isUnsafe(document) && warned === 0);
      if (applies) expect(planRisks(plan)).toEqual([]);
      applied[applies ? "safe" : "unsafe"] += 1;
    }),
    { numRuns: 1000 },
  );
  // Both are more than a few, or the property shows nothing.
  expect(Math.min(applied.safe, applied.unsafe)).toBeGreaterThan(100);
});
