import { loaderById, loaderOf } from "../kit/loader.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import type { LineRange } from "../../model/log/log.ts";
import type { Phase, PhaseStatus } from "../../model/run/phase.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { LogLineConnectionRef, logArgs, logExtentLoader, readLog } from "./log.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { PhaseKindEnum } from "./phase-kind.ts";
import { PhaseRef, RunnerRef, runnerLoader } from "../kit/refs.ts";

export const phaseLoader = loaderById(["phase"], (domain, caller, ids) => domain.phases(caller, ids));
export const phasesLoader = loaderOf((domain, caller, ids) => domain.phasesOfRuns(caller, ids));

export const PhaseStatusEnum = describedEnum<PhaseStatus>(
  "PhaseStatus",
  "The status of a phase.",
  {
    PENDING: "The phase has not begun.",
    RUNNING: "The phase is executing, or waits for people.",
    PASSED: "The phase succeeded.",
    FAILED: "The phase failed; `Run.failure` shows the cause.",
    SKIPPED: "The phase was not needed.",
    CANCELED: "The phase was canceled before it was complete.",
    TIMED_OUT: "The phase exceeded a limit of time or silence.",
    LOST: "The lease of the runner expired. The phase is tried again if that is safe.",
  },
  ["PENDING", "SKIPPED"],
);

async function lineRange({ runId, kind, attempt }: Phase, { loaders }: GraphqlContext): Promise<LineRange | null> {
  return (await loaders.load(logExtentLoader, runId))?.rangeOf(kind, attempt) ?? null;
}

addNode("phase", "Phase", phaseLoader);
PhaseRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "A phase of a run: a part of a leg.",
  interfaces: [NodeRef],
  fields: (t) => ({
    kind: t.expose("kind", { type: PhaseKindEnum, description: "The work of the phase." }),
    attempt: t.exposeInt("attempt", {
      description: "The number of the attempt, from 1. A replan or a retry adds an attempt.",
    }),
    status: t.expose("status", { type: PhaseStatusEnum, description: "The status." }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "The name of the runner that executes the phase. `null` if there is none, or none yet.",
      resolve: ({ runnerId }, _args, { loaders }) => (runnerId === null ? null : loaders.load(runnerLoader, runnerId)),
    }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the phase began. `null` if it has not.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the phase ended. `null` if it has not.",
    }),
    firstLine: t.int({
      nullable: true,
      description: "The number in the run's log of the first line of this phase and attempt. `null` if it wrote none.",
      resolve: async (phase, _args, context) => (await lineRange(phase, context))?.[0] ?? null,
    }),
    lastLine: t.int({
      nullable: true,
      description:
        "The number in the run's log of its newest line, which grows while the phase runs. `null` if it wrote none.",
      resolve: async (phase, _args, context) => (await lineRange(phase, context))?.[1] ?? null,
    }),
    log: t.field({
      type: LogLineConnectionRef,
      description: "The log lines of this phase and attempt, with their numbers in the run's log.",
      args: logArgs(),
      resolve: (phase, args, context) => readLog(context, phase.runId, phase, args),
    }),
  }),
});
