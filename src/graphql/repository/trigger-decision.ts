import type { ShownDecision } from "../../domain/repository/repository-queries.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { TriggerOutcome, TriggerReason } from "../../model/repository/trigger-decision.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { namePosition } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderByKey, loaderOf } from "../kit/loader.ts";
import { type PageArguments, toPageRequest } from "../kit/page.ts";
import { runLoader, RunRef, WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { SourceInputsRef } from "../run/source-inputs.ts";

type StoredDecision = Extract<ShownDecision, { refChangeId: string }>;

const TriggerOutcomeEnum = describedEnum<TriggerOutcome>(
  "TriggerOutcome",
  "The result of a change for a workspace, when it was decided.",
  {
    RUN_CREATED: "A run of kind DEPLOY is created.",
    SKIPPED: "No run is created, or one that is SKIPPED at once.",
    WAITING_FOR_OK: "A run of kind DEPLOY is created once a person continues the changeset.",
  },
);

const TriggerReasonEnum = describedEnum<TriggerReason>("TriggerReason", "The reason for the result of a change.", {
  AFFECTED: "The change concerns files that the workspace reads, or the tag is new.",
  ALREADY_RUN: "The newest run was made from the same inputs.",
  COMMIT_MISSING:
    "The repository does not have the commit any more, so the reason cannot be worked out. There is no run.",
  INPUTS_UNCHANGED: "The change does not concern files that the workspace reads.",
  MESSAGE_SAYS_SKIP: "The message of the commit contains `[skip holdpoint]`.",
  NOT_TRACKED: "The workspace does not follow the ref, or did not when the change was decided.",
  REF_DELETED: "The branch or the tag was deleted, which starts no run.",
  SOURCE_UNREADABLE: "The folder of the workspace is not in the commit.",
  SUPERSEDED: "A newer change of the ref was decided in its place.",
  TAG_MOVED: "The tag moved after it had been decided. Only a new tag starts a run.",
  TOO_MANY: "The change starts more runs than `Organization.maxRunsPerPush`.",
});

const decisionInputsLoader = loaderByKey(
  (domain, caller, decisions: readonly StoredDecision[]) => domain.inputsOfDecisions(caller, decisions),
  ({ workspaceId, refChangeId }) => `${workspaceId} ${refChangeId}`,
);

export const TriggerDecisionRef = builder.objectRef<ShownDecision>("TriggerDecision").implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The result of a change of a ref for one workspace, with its reason.",
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      description: "The workspace. `null` if the caller may not read it.",
      resolve: ({ workspaceId }, _args, { loaders }) => loaders.load(workspaceLoader, workspaceId),
    }),
    outcome: t.expose("outcome", { type: TriggerOutcomeEnum, description: "The result." }),
    reason: t.expose("reason", { type: TriggerReasonEnum, description: "The reason, for programs." }),
    message: t.exposeString("message", { description: "The reason in words." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run. `null` if there is none, or it is not created yet.",
      resolve: (decision, _args, { loaders }) =>
        "runId" in decision && decision.runId !== null ? loaders.load(runLoader, decision.runId) : null,
    }),
    inputs: t.field({
      type: SourceInputsRef,
      nullable: true,
      description: "Everything that the engine reads at the new commit. `null` if it was not read.",
      resolve: (decision, _args, { loaders }) =>
        "inputs" in decision ? decision.inputs : loaders.load(decisionInputsLoader, decision),
    }),
    changed: t.stringList({
      description: `The paths that differ from what was run or from the commit before; of many the first ${LIMITS.changedPathsShown}, and how many others there are. Empty if nothing differs, and where it is not known.`,
      resolve: ({ changed }) => [...changed],
    }),
  }),
});

const EdgeRef = edgeRef<ShownDecision>("TriggerDecision", "decision");
export const TriggerDecisionConnectionRef = connectionRef<ShownDecision>("TriggerDecision", "A page of decisions.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: TriggerDecisionRef, description: "The decision.", resolve: (edge) => edge.node }),
);
builder.objectField(TriggerDecisionConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The decisions.", resolve: (connection) => connection.edges }),
);

/** Reads a page of the decisions about a change. */
export async function readTriggerDecisions(
  { caller, domain }: GraphqlContext,
  refChangeId: string,
  args: PageArguments,
): Promise<Connection<ShownDecision>> {
  const name = `decisions of ${refChangeId}`;
  const page = await domain.listTriggerDecisions(
    caller,
    refChangeId,
    toPageRequest(args, { name, position: namePosition }),
  );
  return toConnection(name, page, (decision) => decision.workspaceId);
}

const supersedingLoader = loaderOf((domain, caller, ids) => domain.supersedingRuns(caller, ids));

builder.objectField(RunRef, "supersededBy", (t) =>
  t.field({
    type: RunRef,
    nullable: true,
    description:
      "The run for which this one was ended: that of a newer commit, a deployment that a person ordered before a rollback began, or an apply that a check for drift met. `null` if there is none.",
    resolve: async ({ id }, _args, { loaders }) => {
      const newerId = await loaders.load(supersedingLoader, id);
      return newerId === null ? null : loaders.load(runLoader, newerId);
    },
  }),
);
