/** The recovered states that runners sent after their lease, and the decisions about them. */
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

const DecisionEnum = describedEnum<RecoveryDecision>(
  "RecoveredStateDecision",
  "The decision about a recovered state.",
  {
    ADOPTED: "The state became the current state of its workspace.",
    DISCARDED: "The state was discarded. It is still kept.",
  },
);

const RecoveredStateRef = builder.objectRef<RecoveredState>("RecoveredState").implement({
  extensions: asksFor("workspace:read"),
  description:
    "A state that a runner sent after its run had ended. It is kept beside the versions of the workspace, and becomes current only if a person adopts it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace of the state.",
      resolve: async ({ workspaceId }, _args, { loaders }) =>
        present(await loaders.workspace.load(workspaceId), `Workspace ${workspaceId}`),
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that made the state.",
      resolve: ({ runId }, _args, { loaders }) => loaders.run.load(runId),
    }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "The runner that sent the state.",
      resolve: ({ runnerId }, _args, { loaders }) => loaders.runner.load(runnerId),
    }),
    serial: t.exposeFloat("serial", { description: "The serial: a whole number of at most 2^52." }),
    lineage: t.exposeString("lineage", { description: "The lineage, as the engine reports it." }),
    digest: t.exposeString("digest", { description: "The SHA-256 of the state file, in hexadecimal digits." }),
    size: t.exposeInt("size", { description: "The size in bytes." }),
    resourceCount: t.exposeInt("resourceCount", {
      description: "The number of resources, without data sources.",
    }),
    receivedAt: t.expose("receivedAt", { type: "DateTime", description: "When the state was received." }),
    decision: t.field({
      type: DecisionEnum,
      nullable: true,
      description: "The decision. `null` if none was made yet.",
      resolve: ({ decided }) => decided?.decision ?? null,
    }),
    decidedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The actor that decided. `null` if no decision was made yet.",
      resolve: ({ decided }, _args, { loaders }) => (decided === null ? null : loaders.actor.load(decided.actorId)),
    }),
    decidedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When the decision was made. `null` if none was made yet.",
      resolve: ({ decided }) => decided?.at ?? null,
    }),
    note: t.string({
      nullable: true,
      description: "The reason of the decision. `null` if none was given.",
      resolve: ({ decided }) => decided?.note ?? null,
    }),
  }),
});

builder.objectField(WorkspaceRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description: `The recovered states that wait for a decision, newest first; at most ${LIMITS.recoveredShown}.`,
    resolve: ({ id }, _args, { loaders }) => loaders.undecidedStates.load(id),
  }),
);
builder.objectField(RunRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description: "The states that were received after the run's end, decided or not, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.recoveredStatesOfRun.load(id),
  }),
);
builder.objectField(WorkspaceLockRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description:
      "The recovered states of the run that left the lock and wait for a decision. Decide about them before you unlock the workspace.",
    resolve: async ({ runId }, _args, { loaders }) =>
      runId === null ? [] : (await loaders.recoveredStatesOfRun.load(runId)).filter(({ decided }) => decided === null),
  }),
);
builder.objectField(UnlockWorkspaceSuccessRef, "warnings", (t) =>
  t.field({
    type: ["String"],
    description: "The warnings to read before unlocking the workspace.",
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
      note: t.string({ description: `The reason; at most ${LIMITS.textLength} characters.` }),
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
        description: "The workspace of the state as it is now.",
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
const AdoptInputRef = decisionInput("AdoptRecoveredStateInput", "The recovered state to adopt.");
const AdoptSuccessRef = decisionSuccess("AdoptRecoveredStateSuccess", "The state is the current one of its workspace.");
const AdoptResultRef = builder.unionType("AdoptRecoveredStateResult", {
  description: "The result of `adoptRecoveredState`.",
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
      "Makes a recovered state the current state of its workspace, as a version of the run that made it. It needs the permission to import states. It is refused if the workspace's state changed since, a run is executing, or another person locked the workspace. A lock is kept.",
    args: { input: t.arg({ type: AdoptInputRef, required: true, description: "The state to adopt, and the reason." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ADOPT_ERRORS, async () => ({
        type: "AdoptRecoveredStateSuccess" as const,
        ...(await context.domain.adoptRecoveredState(context.caller, { ...input, note: input.note ?? null })),
      })),
  }),
);

const DISCARD_ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError"] as const;
const DiscardInputRef = decisionInput("DiscardRecoveredStateInput", "The recovered state to discard.");
const DiscardSuccessRef = decisionSuccess("DiscardRecoveredStateSuccess", "The state no longer waits for a decision.");
const DiscardResultRef = builder.unionType("DiscardRecoveredStateResult", {
  description: "The result of `discardRecoveredState`.",
  types: [DiscardSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("discardRecoveredState", (t) =>
  t.field({
    type: DiscardResultRef,
    description: "Discards a recovered state. It needs the permission to import states.",
    args: {
      input: t.arg({ type: DiscardInputRef, required: true, description: "The state to discard, and the reason." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, DISCARD_ERRORS, async () => ({
        type: "DiscardRecoveredStateSuccess" as const,
        ...(await context.domain.discardRecoveredState(context.caller, { ...input, note: input.note ?? null })),
      })),
  }),
);
