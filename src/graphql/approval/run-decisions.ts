/** The commands of people at the gates of a run: approve, reject, discard, replan. */
import { runSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { GateEnum } from "./approval.ts";

const COMMENT = "The reason, for later readers.";
const DECIDED_PLAN = "The version of the plan that was read. It is a StalePlanError if another plan is current.";

mutation("approveRun", {
  description: "Approves one gate of the named plan: PLAN first, then APPLY.",
  argument: "The approval.",
  input: {
    description: "The approval of exactly one plan at one gate.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run that waits." }),
      gate: t.field({
        type: GateEnum,
        required: true,
        description: "The gate at which the run waits: PLAN first, then APPLY.",
      }),
      planVersion: t.int({ required: true, description: DECIDED_PLAN }),
      comment: t.string({ description: `${COMMENT} An approval rule may require it.` }),
      stage: t.string({
        description:
          "The name of the stage. The default is the current stage. A person who approved one stage of the gate must name the next one.",
      }),
      applyAt: t.field({
        type: "DateTime",
        description:
          "The earliest start of the apply, only at the gate APPLY. If several approvers set it, the last one counts.",
      }),
    }),
  },
  success: runSuccess("The approval was recorded. The run continues once enough people approved."),
  run: ({ approveRun }, caller, { input }) => approveRun(caller, { ...input, comment: input.comment ?? null }),
});

mutation("rejectRun", {
  description: "Rejects the plan at the plan gate. The run ends REJECTED.",
  argument: "The rejection.",
  input: {
    description: "The rejection of a plan at the plan gate.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run that waits at its plan gate." }),
      planVersion: t.int({ required: true, description: DECIDED_PLAN }),
      comment: t.string({ description: COMMENT }),
    }),
  },
  success: runSuccess("The run has ended REJECTED."),
  run: ({ rejectRun }, caller, { input }) => rejectRun(caller, { ...input, comment: input.comment ?? null }),
});

mutation("discardRun", {
  description: "Discards the plan at either gate. The run ends DISCARDED.",
  argument: "The run to discard, and the reason.",
  input: {
    description: "The run whose plan to discard.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run, which waits at one of its gates." }),
      planVersion: t.int({
        description:
          "The version of the plan that was read. If given, it is a StalePlanError if another plan is current.",
      }),
      comment: t.string({ description: COMMENT }),
    }),
  },
  success: runSuccess("The run has ended DISCARDED."),
  run: ({ discardRun }, caller, { input }) =>
    discardRun(caller, {
      runId: input.runId,
      planVersion: input.planVersion ?? null,
      comment: input.comment ?? null,
    }),
});

mutation("replanRun", {
  description: "Plans again within the run, optionally limited to some resources and their dependencies.",
  argument: "The run to plan again, and how.",
  input: {
    description: "The run to plan again, and the resources to limit the plan to.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run, which waits at one of its gates." }),
      planVersion: t.int({
        required: true,
        description:
          "The version of the plan that the targets were chosen from. It is a StalePlanError if another plan is current.",
      }),
      targets: t.stringList({
        description:
          "The resources, instances or modules to limit the new plan to, with their dependencies (the engine's `-target`). The default is the run's own; [] means the whole configuration. A target that matches nothing is refused. If only the engine can detect that, the run returns to its gate with its old plan.",
      }),
      replace: t.stringList({
        description:
          "The addresses of resource instances to replace. The default is the run's own; [] means none. An address that matches nothing is refused, as a target is.",
      }),
      comment: t.string({ description: COMMENT }),
    }),
  },
  success: runSuccess("Another plan was requested. Earlier approvals no longer count."),
  run: ({ replanRun }, caller, { input }) =>
    replanRun(caller, {
      runId: input.runId,
      planVersion: input.planVersion,
      targets: input.targets ?? null,
      replace: input.replace ?? null,
      comment: input.comment ?? null,
    }),
});
