/** The recovered states that runners sent after their lease, and the decisions about them. */
import { loaderById, loaderOf } from "../kit/loader.ts";
import type { DecidedState } from "../../domain/recovered-state/recovered-state-domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type RecoveredState, type RecoveryDecision, undecidedWarning } from "../../model/state/recovered-state.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder, type InputFields } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";

import {
  RunnerRef,
  RunRef,
  WorkspaceLockRef,
  WorkspaceRef,
  runLoader,
  runnerLoader,
  workspaceLoader,
} from "../kit/refs.ts";
import { StateReadingRef } from "./state-version.ts";
import { UnlockWorkspaceSuccessRef } from "../workspace/workspace-mutations.ts";

const recoveredStateLoader = loaderById(["recoveredState"], (domain, caller, ids) =>
  domain.recoveredStates(caller, ids),
);
const undecidedStatesLoader = loaderOf((domain, caller, ids) => domain.undecidedStatesOfWorkspaces(caller, ids));
const readingsLoader = loaderOf((domain, caller, ids) => domain.recoveredStateReadings(caller, ids));
const recoveredStatesOfRunLoader = loaderOf((domain, caller, ids) => domain.recoveredStatesOfRuns(caller, ids));

const DecisionEnum = describedEnum<RecoveryDecision>(
  "RecoveredStateDecision",
  "The decision about a recovered state.",
  {
    ADOPTED: "The state became the current state of its workspace.",
    DISCARDED: "The state was discarded. It is still kept.",
  },
);

addNode("recoveredState", "RecoveredState", recoveredStateLoader);
const RecoveredStateRef = builder.objectRef<RecoveredState>("RecoveredState").implement({
  extensions: requiredPermissions("WORKSPACE_READ"),
  description:
    "A state that a runner sent after its run had ended. It is kept beside the versions of the workspace, and becomes current only if a person adopts it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace of the state.",
      resolve: async ({ workspaceId }, _args, { loaders }) =>
        present(await loaders.load(workspaceLoader, workspaceId), `Workspace ${workspaceId}`),
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that made the state.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "The runner that sent the state.",
      resolve: ({ runnerId }, _args, { loaders }) => loaders.load(runnerLoader, runnerId),
    }),
    serial: t.exposeFloat("serial", { description: "The serial: a whole number of at most 2^52." }),
    lineage: t.exposeString("lineage", { description: "The lineage, as the engine reports it." }),
    digest: t.exposeString("digest", { description: "The SHA-256 of the state file, in hexadecimal digits." }),
    size: t.exposeInt("size", { description: "The size in bytes." }),
    resourceCount: t.exposeInt("resourceCount", {
      description: "The number of resources, without data sources.",
    }),
    readings: t.field({
      type: [StateReadingRef],
      description: `The last ${LIMITS.stateReadingsShown} downloads of the state by \`GET /state-versions/<id>\`, newest first.`,
      resolve: ({ id }, _args, { loaders }) => loaders.load(readingsLoader, id),
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
      resolve: ({ decided }, _args, { loaders }) =>
        decided === null ? null : loaders.load(actorLoader, decided.actorId),
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
    resolve: ({ id }, _args, { loaders }) => loaders.load(undecidedStatesLoader, id),
  }),
);
builder.objectField(RunRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description: "The states that were received after the run's end, decided or not, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(recoveredStatesOfRunLoader, id),
  }),
);
builder.objectField(WorkspaceLockRef, "recoveredStates", (t) =>
  t.field({
    type: [RecoveredStateRef],
    description:
      "The recovered states of the run that left the lock and wait for a decision. Decide about them before you unlock the workspace.",
    resolve: async ({ runId }, _args, { loaders }) =>
      runId === null
        ? []
        : (await loaders.load(recoveredStatesOfRunLoader, runId)).filter(({ decided }) => decided === null),
  }),
);
builder.objectField(UnlockWorkspaceSuccessRef, "warnings", (t) =>
  t.field({
    type: ["String"],
    description: "The warnings to read before unlocking the workspace.",
    resolve: async ({ value }, _args, { loaders }) => {
      const warning = undecidedWarning((await loaders.load(undecidedStatesLoader, value.id)).length);
      return warning === null ? [] : [warning];
    },
  }),
);

function decisionInput(description: string) {
  return {
    description,
    fields: (t: InputFields) => ({
      recoveredStateId: t.id({ required: true, description: "The state." }),
      note: t.string({ description: `The reason; at most ${LIMITS.textLength} characters.` }),
    }),
  };
}

function decisionSuccess(description: string): Success<DecidedState> {
  return {
    description,
    fields: (t) => ({
      recoveredState: t.field({
        type: RecoveredStateRef,
        description: "The state, with the decision.",
        resolve: ({ value }) => value.recoveredState,
      }),
      workspace: t.field({
        type: WorkspaceRef,
        description: "The workspace of the state as it is now.",
        resolve: ({ value }) => value.workspace,
      }),
    }),
  };
}

mutation("adoptRecoveredState", {
  description:
    "Makes a recovered state the current state of its workspace, as a version of the run that made it. It needs the permission to import states. It is refused if the workspace's state changed since, a run is executing, or another person locked the workspace. A lock is kept.",
  argument: "The state to adopt, and the reason.",
  input: decisionInput("The recovered state to adopt."),
  success: decisionSuccess("The state is the current one of its workspace."),
  run: ({ adoptRecoveredState }, caller, { input }) =>
    adoptRecoveredState(caller, { ...input, note: input.note ?? null }),
});

mutation("discardRecoveredState", {
  description: "Discards a recovered state. It needs the permission to import states.",
  argument: "The state to discard, and the reason.",
  input: decisionInput("The recovered state to discard."),
  success: decisionSuccess("The state no longer waits for a decision."),
  run: ({ discardRecoveredState }, caller, { input }) =>
    discardRecoveredState(caller, { ...input, note: input.note ?? null }),
});
