/** States that runners sent after their lease, and what people decide about them. */
import type { DecidedState } from "../../domain/recovered-state/recovered-state-domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type RecoveredState, type RecoveryDecision, undecidedWarning } from "../../model/state/recovered-state.ts";
import { ActorRef } from "../people/actor.ts";
import { answer } from "../kit/answer.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";

import { RunnerRef, RunRef, WorkspaceLockRef, WorkspaceRef } from "../kit/refs.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
  WorkspaceLockedErrorRef,
} from "../kit/user-error.ts";
import { UnlockWorkspaceSuccessRef } from "../workspace/workspace-mutations.ts";

const DecisionEnum = describedEnum<RecoveryDecision>("RecoveredStateDecision", "What became of a recovered state.", {
  ADOPTED: "It was made the current state of its workspace.",
  DISCARDED: "It is not wanted. It is kept all the same.",
});

const RecoveredStateRef = builder.objectRef<RecoveredState>("RecoveredState").implement({
  extensions: asksFor("workspace:read"),
  description:
    "A state that a runner sent after its lease, when its run had ended. It is kept beside the versions of the workspace and becomes current only where a person adopts it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace whose state it is.",
      resolve: async ({ workspaceId }, _args, { loaders }) =>
        present(await loaders.workspace.load(workspaceId), `Workspace ${workspaceId}`),
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that made it.",
      resolve: ({ runId }, _args, { loaders }) => loaders.run.load(runId),
    }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "The runner that sent it.",
      resolve: ({ runnerId }, _args, { loaders }) => loaders.runner.load(runnerId),
    }),
    serial: t.exposeFloat("serial", { description: "Its serial: a whole number of at most 2^52." }),
    lineage: t.exposeString("lineage", { description: "Its lineage, as the engine says." }),
    digest: t.exposeString("digest", { description: "SHA-256 of its bytes, in hexadecimal digits." }),
    size: t.exposeInt("size", { description: "Its bytes." }),
    resourceCount: t.exposeInt("resourceCount", {
      description: "How many resources it has, data sources not counted.",
    }),
    receivedAt: t.expose("receivedAt", { type: "DateTime", description: "When it came." }),
    decision: t.field({
      type: DecisionEnum,
      nullable: true,
      description: "What was decided; null: nothing yet.",
      resolve: ({ decided }) => decided?.decision ?? null,
    }),
    decidedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "Who decided.",
      resolve: ({ decided }, _args, { loaders }) => (decided === null ? null : loaders.actor.load(decided.actorId)),
    }),
    decidedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was decided.",
      resolve: ({ decided }) => decided?.at ?? null,
    }),
    note: t.string({
      nullable: true,
      description: "What was said about the decision.",
      resolve: ({ decided }) => decided?.note ?? null,
    }),
  }),
});

builder.objectField(WorkspaceRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description: `States that came too late and wait for a decision, newest first; at most ${LIMITS.recoveredShown}.`,
    resolve: ({ id }, _args, { loaders }) => loaders.undecidedStates.load(id),
  }),
);
builder.objectField(RunRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description: "States that came after the run's end, also those that were decided about, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.recoveredStatesOfRun.load(id),
  }),
);
builder.objectField(WorkspaceLockRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description:
      "States of the run that left the lock which came too late and wait for a decision: look at them first.",
    resolve: async ({ runId }, _args, { loaders }) =>
      runId === null ? [] : (await loaders.recoveredStatesOfRun.load(runId)).filter(({ decided }) => decided === null),
  }),
);
builder.objectField(UnlockWorkspaceSuccessRef, "warnings", (t) =>
  t.field({
    type: ["String"],
    description: "What somebody should know who frees this workspace.",
    resolve: async ({ workspace }, _args, { loaders }) => {
      const warning = undecidedWarning((await loaders.undecidedStates.load(workspace.id)).length);
      return warning === null ? [] : [warning];
    },
  }),
);

function decisionInput(name: string, description: string) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      recoveredStateId: t.id({ required: true, description: "The state." }),
      note: t.string({ description: `Why; at most ${LIMITS.textLength} characters.` }),
    }),
  });
}

function decisionSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name } & DecidedState>(name).implement({
    description,
    fields: (t) => ({
      recoveredState: t.field({
        type: RecoveredStateRef,
        description: "The state, with the decision.",
        resolve: ({ recoveredState }) => recoveredState,
      }),
      workspace: t.field({
        type: WorkspaceRef,
        description: "Its workspace as it is now.",
        resolve: ({ workspace }) => workspace,
      }),
    }),
  });
}

const ADOPT_ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "WorkspaceLockedError",
  "RunStateConflictError",
] as const;
const AdoptInputRef = decisionInput("AdoptRecoveredStateInput", "A state that shall become current.");
const AdoptSuccessRef = decisionSuccess("AdoptRecoveredStateSuccess", "The state is the current one of its workspace.");
const AdoptResultRef = builder.unionType("AdoptRecoveredStateResult", {
  description: "What came of `adoptRecoveredState`.",
  types: [
    AdoptSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    WorkspaceLockedErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});
builder.mutationField("adoptRecoveredState", (t) =>
  t.field({
    type: AdoptResultRef,
    description:
      "Makes a state that came too late the current one, as a version of the run that made it; the right to bring states is needed. Refused where the workspace's state moved on since, while a run is at work, and where somebody else has locked the workspace. A lock stays.",
    args: { input: t.arg({ type: AdoptInputRef, required: true, description: "Which one, and why." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ADOPT_ERRORS, async () => ({
        type: "AdoptRecoveredStateSuccess" as const,
        ...(await context.domain.adoptRecoveredState(context.caller, { ...input, note: input.note ?? null })),
      })),
  }),
);

const DISCARD_ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError"] as const;
const DiscardInputRef = decisionInput("DiscardRecoveredStateInput", "A state that is not wanted.");
const DiscardSuccessRef = decisionSuccess("DiscardRecoveredStateSuccess", "Nobody is asked about the state any more.");
const DiscardResultRef = builder.unionType("DiscardRecoveredStateResult", {
  description: "What came of `discardRecoveredState`.",
  types: [DiscardSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("discardRecoveredState", (t) =>
  t.field({
    type: DiscardResultRef,
    description: "Says that a state that came too late is not wanted; the right to bring states is needed.",
    args: { input: t.arg({ type: DiscardInputRef, required: true, description: "Which one, and why." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DISCARD_ERRORS, async () => ({
        type: "DiscardRecoveredStateSuccess" as const,
        ...(await context.domain.discardRecoveredState(context.caller, { ...input, note: input.note ?? null })),
      })),
  }),
);
