/** The commands that create a run of kind DEPLOY from an earlier run: promotion and rollback. */
import type { FollowUpInput } from "../../domain/run/follow-up-input.ts";
import type { Run } from "../../model/run/run.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { MetadataEntryInputRef } from "../kit/metadata.ts";
import { RunRef } from "../kit/refs.ts";
import {
  ForbiddenErrorRef,
  IdempotencyConflictErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

const ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "IdempotencyConflictError",
  "RunStateConflictError",
] as const;
const ERROR_REFS = [
  InvalidInputErrorRef,
  NotFoundErrorRef,
  ForbiddenErrorRef,
  IdempotencyConflictErrorRef,
  RunStateConflictErrorRef,
];

type Given = { [Key in keyof Omit<FollowUpInput, "runId">]?: FollowUpInput[Key] | undefined } & { runId: string };

function toInput({ runId, message, metadata, priority, idempotencyKey }: Given): FollowUpInput {
  return {
    runId,
    message: message ?? null,
    metadata: metadata ?? null,
    priority: priority ?? null,
    idempotencyKey: idempotencyKey ?? null,
  };
}

/** Builds the input of a promotion or rollback. `absent` describes the default of its optional fields. */
function inputOf(name: string, description: string, run: string, absent: string) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      runId: t.id({ required: true, description: run }),
      message: t.string({ description: `The reason for the run, for its approvers. The default is ${absent}.` }),
      metadata: t.field({
        type: [MetadataEntryInputRef],
        description: `The metadata of the run. The default is ${absent}; [] means none.`,
      }),
      priority: t.int({ description: `The priority, from -100 to 100; higher goes first. The default is ${absent}.` }),
      idempotencyKey: t.string({
        description:
          "An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run.",
      }),
    }),
  });
}

function successOf<const Name extends string>(name: Name) {
  return builder.objectRef<{ type: Name; run: Run; created: boolean }>(name).implement({
    description: "The new run was created; its `origin` is the earlier run.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The new run.", resolve: ({ run }) => run }),
      created: t.exposeBoolean("created", {
        description: "Whether the run is new. `false` if the idempotency key was already used for the same request.",
      }),
    }),
  });
}

const PromoteRunInputRef = inputOf(
  "PromoteRunInput",
  "The plan to deploy.",
  "The run of kind PLAN. Its status must be FINISHED.",
  "that of the PLAN run",
);
const PromoteRunResultRef = builder.unionType("PromoteRunResult", {
  description: "The result of `promoteRun`.",
  types: [successOf("PromoteRunSuccess"), ...ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("promoteRun", (t) =>
  t.field({
    type: PromoteRunResultRef,
    description:
      "Creates a run of kind DEPLOY from the source and targets of a finished PLAN run, with the variables as they are now. The run makes a plan of its own and needs the usual approvals.",
    args: { input: t.arg({ type: PromoteRunInputRef, required: true, description: "The run to promote." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "PromoteRunSuccess" as const,
        ...(await context.domain.promoteRun(context.caller, toInput(input))),
      })),
  }),
);

const RollbackRunInputRef = inputOf(
  "RollbackRunInput",
  "The earlier run to go back to.",
  "The run to go back to. Its outcome must be APPLIED, and it must not be `refreshOnly`.",
  "none, or 0",
);
const RollbackRunResultRef = builder.unionType("RollbackRunResult", {
  description: "The result of `rollbackRun`.",
  types: [successOf("RollbackRunSuccess"), ...ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("rollbackRun", (t) =>
  t.field({
    type: RollbackRunResultRef,
    description:
      "Creates a run of kind DEPLOY from the source and variables of an earlier applied run, for the whole configuration. Sensitive and environment variables are those of now. The run makes a plan of its own and needs the usual approvals. The next run takes the current source and variables again and undoes the rollback: correct those as well.",
    args: { input: t.arg({ type: RollbackRunInputRef, required: true, description: "The run to go back to." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RollbackRunSuccess" as const,
        ...(await context.domain.rollbackRun(context.caller, toInput(input))),
      })),
  }),
);
