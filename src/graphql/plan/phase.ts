import { asksFor } from "../kit/asks-for.ts";
import type { PhaseStatus } from "../../model/run/phase.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { LogLineConnectionRef, logArgs, readLog } from "./log.ts";
import { NodeRef } from "../kit/node.ts";
import { PhaseKindEnum } from "./phase-kind.ts";
import { PhaseRef, RunnerRef } from "../kit/refs.ts";

export const PhaseStatusEnum = describedEnum<PhaseStatus>(
  "PhaseStatus",
  "Where a phase is.",
  {
    PENDING: "Not begun yet.",
    RUNNING: "At work, or waits for people.",
    PASSED: "Ended well.",
    FAILED: "Ended badly; the run's `failure` says why.",
    SKIPPED: "Was not needed.",
    CANCELED: "Was ended before it was through.",
    TIMED_OUT: "Exceeded a limit of time or silence.",
    LOST: "Its runner was not heard from any more; the work is tried again where that is safe.",
  },
  ["PENDING", "SKIPPED"],
);

PhaseRef.implement({
  extensions: asksFor("run:read"),
  description: "A stretch of a run as its history shows it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    kind: t.expose("kind", { type: PhaseKindEnum, description: "What is done in it." }),
    attempt: t.exposeInt("attempt", { description: "From 1; a replan or a requeue adds an attempt." }),
    status: t.expose("status", { type: PhaseStatusEnum, description: "Where it is." }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "Who executes it; null where nobody does, or not yet.",
      resolve: ({ runnerId }, _args, { loaders }) => (runnerId === null ? null : loaders.runner.load(runnerId)),
    }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true, description: "When it began." }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true, description: "When it ended." }),
    log: t.field({
      type: LogLineConnectionRef,
      description: "The lines of this phase and attempt; their numbers are those of the run's log.",
      args: logArgs(),
      resolve: (phase, args, context) => readLog(context, phase.runId, phase, args),
    }),
  }),
});
