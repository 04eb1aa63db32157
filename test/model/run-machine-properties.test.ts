import fc from "fast-check";
import { expect, test } from "vitest";
import { AUTO_APPLY_MODES } from "../../src/model/plan/auto-apply.ts";
import {
  decide,
  PLAN_APPROVAL_MODES,
  type MachinePlan,
  type RunCommand,
  type MachineInput,
} from "../../src/model/lifecycle/run-machine.ts";
import { legalChanges, type RunPosition, reachablePositions } from "../../src/model/lifecycle/legal-changes.ts";
import { isTerminal } from "../../src/model/lifecycle/run-status.ts";

const PLACES = reachablePositions();
const positionKey = ({ kind, status, leg, outcome }: RunPosition): string =>
  `${kind} ${status}/${leg}/${outcome ?? ""}`;
const REACHABLE = new Set(PLACES.map(positionKey));
const LEGAL = new Set(
  legalChanges().map(
    ({ kind, from, to }) => `${from?.status ?? ""}/${from?.leg ?? ""} ${positionKey({ kind, ...to })}`,
  ),
);

const small = fc.nat({ max: 2 });
const plan: fc.Arbitrary<MachinePlan> = fc.record({
  version: small,
  hasChanges: fc.boolean(),
  stateSerial: small,
  changes: small,
  destructions: small,
  replacements: small,
  forgets: small,
  imports: small,
  moves: small,
  outputChanges: fc.array(fc.record({ action: fc.constantFrom("CREATE", "UPDATE", "DELETE") }), { maxLength: 2 }),
  actionInvocationCount: small,
  complete: fc.boolean(),
  targeted: fc.boolean(),
});
const verdict = fc.constantFrom("passed" as const, "asks" as const, "denied" as const);
const command: fc.Arbitrary<RunCommand> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      ...([
        "create",
        "createSkipped",
        "admit",
        "skip",
        "dependencyFailed",
        "claim",
        "restored",
        "prepared",
        "initialized",
      ] as const),
      ...([
        "skipApply",
        "applied",
        "verified",
        "concluded",
        "performed",
        "fail",
        "stopped",
        "queueTimeout",
        "timeout",
      ] as const),
    ),
  }),
  fc.record({ type: fc.constant("cancel" as const), force: fc.boolean(), atMs: fc.constantFrom(0, 59_999, 60_000) }),
  fc.record({ type: fc.constant("leaseLost" as const), handedBack: fc.boolean() }),
  fc.record({ type: fc.constant("planned" as const), plan, warnings: small }),
  fc.record({ type: fc.constant("judged" as const), plan, verdict, warnings: small }),
  fc.record({ type: fc.constant("preJudged" as const), verdict }),
  fc.record({ type: fc.constantFrom("approvePlan", "approveApply"), planVersion: small, quorumReached: fc.boolean() }),
  fc.record({ type: fc.constantFrom("withdrawPlan", "withdrawApply"), quorumReached: fc.boolean() }),
  fc.record({ type: fc.constantFrom("autoApply", "reject", "replan"), planVersion: small }),
  fc.record({ type: fc.constant("discard" as const), planVersion: fc.option(small) }),
);
const admissionConditions: fc.Arbitrary<Omit<MachineInput, "kind" | "status" | "leg">> = fc.record({
  attempt: fc.nat({ max: 4 }),
  plan: fc.option(plan),
  stopRequestedAtMs: fc.option(fc.constant(0)),
  workspace: fc.record({
    planApproval: fc.constantFrom(...PLAN_APPROVAL_MODES),
    autoApply: fc.constantFrom(...AUTO_APPLY_MODES),
    interruptApply: fc.boolean(),
    skipApplying: fc.boolean(),
    locked: fc.boolean(),
    frozen: fc.boolean(),
    stateSerial: small,
  }),
  rules: fc.record({ plan: fc.boolean(), apply: fc.boolean() }),
  planApproved: fc.boolean(),
  policies: fc.record({ prePlan: fc.boolean(), plan: fc.boolean(), preApply: fc.boolean() }),
  warnings: small,
  probes: fc.boolean(),
  limits: fc.constant({ attempts: 3, forceAfterMs: 60_000 }),
});
const steps = fc.array(fc.tuple(admissionConditions, command), { minLength: 1, maxLength: 60 });

test("whatever is asked in whatever order, a run stays where the table reaches, by changes that the table has", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), steps, (start, asked) => {
      let place = start;
      for (const [conditions, what] of asked) {
        const decision = decide({ ...conditions, ...place }, what);
        if (!decision.accepted || decision.change === null) continue;
        expect(isTerminal(place.status)).toBe(false);
        const next = { kind: place.kind, ...decision.change };
        expect(REACHABLE).toContain(positionKey(next));
        expect(LEGAL).toContain(`${place.status}/${place.leg} ${positionKey(next)}`);
        place = next;
      }
    }),
    { numRuns: 500 },
  );
});

test("a run that has ended takes no command at all", () => {
  const ended = PLACES.filter(({ status }) => isTerminal(status));
  fc.assert(
    fc.property(fc.constantFrom(...ended), admissionConditions, command, (place, conditions, what) => {
      expect(decide({ ...conditions, ...place }, what)).toMatchObject({ accepted: false, code: "RUN_STATE_CONFLICT" });
    }),
    { numRuns: 500 },
  );
});

test("an outcome is there with FINISHED, and with nothing else", () => {
  for (const { status, outcome } of PLACES) expect(outcome !== null).toBe(status === "FINISHED");
});
