/** What may happen to runs, as a random test picks it: numbers choose among whatever there is at that moment. */
import fc from "fast-check";
import { type Gate, GATES } from "../../src/model/approval/approval.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import { AUTO_APPLY_MODES } from "../../src/model/plan/auto-apply.ts";
import type { ModelSettings } from "./lifecycle-model.ts";

export const MESSAGES = [
  "restored",
  "prepared",
  "initialized",
  "planned",
  "applied",
  "performed",
  "failed",
  "stopped",
  "handedBack",
] as const;
export type MessageType = (typeof MESSAGES)[number];
export const KINDS = ["DEPLOY", "DEPLOY", "DESTROY", "PLAN", "TASK", "UNLOCK"] as const satisfies readonly RunKind[];

/** What a plan says that it does. */
export type Changes = "none" | "creates" | "destroys";

export type Step =
  /** Whatever brings a run on: its approval, its claim, the next word of its runner. */
  | { do: "goOn"; run: number; changes: Changes }
  | { do: "create"; workspace: number; kind: (typeof KINDS)[number] }
  /** `wrong`: the other gate, or a plan that is not the current one. */
  | { do: "approve"; run: number; wrong: "gate" | "plan" | null }
  | { do: "reject" | "discard" | "replan"; run: number; wrong: "plan" | null }
  | { do: "withdraw"; run: number; gate: Gate }
  | { do: "cancel"; run: number; force: boolean }
  | { do: "retry"; run: number }
  | { do: "lock"; workspace: number; forMs: number | null }
  | { do: "unlock"; workspace: number; force: boolean }
  | { do: "pause"; workspace: number; paused: boolean }
  | { do: "setVariable"; workspace: number }
  | { do: "limit"; limit: number }
  | { do: "claim" }
  /** `next`: what a runner would say now. */
  | {
      do: "report";
      job: number;
      message: MessageType | "next";
      changes: Changes;
      uncertain: boolean;
    }
  /** The last message again, as if its answer had been lost. */
  | { do: "repeat"; job: number }
  | { do: "writeState"; job: number; keepLock: boolean }
  | { do: "beat"; job: number }
  /** The clock jumps; some runners are heard before the workers look. */
  | { do: "advance"; ms: number; beats: number[] }
  /** The server goes, and comes back on the same database. */
  | { do: "restart" };

const some = fc.nat({ max: 50 });
const changes = fc.constantFrom<Changes[]>("creates", "creates", "creates", "destroys", "none");

/** Mostly what brings runs on, so that sequences reach the late statuses. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 70, arbitrary: fc.record({ do: fc.constant("goOn" as const), run: some, changes }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("create" as const), workspace: some, kind: fc.constantFrom(...KINDS) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("approve" as const),
      run: some,
      wrong: fc.constantFrom(null, null, null, null, null, null, "gate" as const, "plan" as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("reject" as const, "discard" as const, "replan" as const, "replan" as const),
      run: some,
      wrong: fc.constantFrom(null, null, null, "plan" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("withdraw" as const), run: some, gate: fc.constantFrom(...GATES) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("cancel" as const), run: some, force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("retry" as const), run: some }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("lock" as const), workspace: some, forMs: fc.constantFrom(null, 25_000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("unlock" as const), workspace: some, force: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const), workspace: some, paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("setVariable" as const), workspace: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("limit" as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("claim" as const) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("report" as const),
      job: some,
      message: fc.constantFrom("next" as const, ...MESSAGES),
      changes,
      uncertain: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("repeat" as const), job: some }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("writeState" as const), job: some, keepLock: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("beat" as const), job: some }) },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      ms: fc.constantFrom(1_000, 20_000, 31_000, 31_000, 61_000),
      beats: fc.array(some, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

export interface Scenario {
  limit: number;
  workspaces: ModelSettings[];
  steps: Step[];
}

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  workspaces: fc.array(
    fc.record({
      planApproval: fc.constantFrom("ALWAYS" as const, "WHEN_REQUIRED" as const),
      autoApply: fc.constantFrom(...AUTO_APPLY_MODES),
      lockScope: fc.constant("RUN" as const),
      interruptApply: fc.constant(false),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 180, size: "max" }),
});
