/** New runs of kind DEPLOY that are made of earlier ones: of what was planned, and of what was applied. */
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

/** `absent`: what holds where nothing is said. */
function inputOf(name: string, description: string, run: string, absent: string) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      runId: t.id({ required: true, description: run }),
      message: t.string({ description: `Why, for those who decide about it. Absent: ${absent}.` }),
      metadata: t.field({
        type: [MetadataEntryInputRef],
        description: `What is to be noted with it. Absent: ${absent}; []: nothing.`,
      }),
      priority: t.int({ description: `-100 to 100; higher goes first. Absent: ${absent}.` }),
      idempotencyKey: t.string({
        description:
          "The same key with the same request within 24 hours gives the first run again; unique per workspace and caller.",
      }),
    }),
  });
}

function successOf<const Name extends string>(name: Name) {
  return builder.objectRef<{ type: Name; run: Run; created: boolean }>(name).implement({
    description: "The new run exists; its `origin` is the old one.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The new run.", resolve: ({ run }) => run }),
      created: t.exposeBoolean("created", {
        description: "false: the idempotency key had been used for the same request.",
      }),
    }),
  });
}

const PromoteRunInputRef = inputOf(
  "PromoteRunInput",
  "A plan that is to be deployed.",
  "The run of kind PLAN; it must have FINISHED, with changes or without.",
  "that of the PLAN run",
);
const PromoteRunResultRef = builder.unionType("PromoteRunResult", {
  description: "What came of `promoteRun`.",
  types: [successOf("PromoteRunSuccess"), ...ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("promoteRun", (t) =>
  t.field({
    type: PromoteRunResultRef,
    description:
      "A new run of kind DEPLOY of the very source that a finished PLAN run planned, for the same resources, with the variables as they are now. It plans anew, and asks as any other.",
    args: { input: t.arg({ type: PromoteRunInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "PromoteRunSuccess" as const,
        ...(await context.domain.promoteRun(context.caller, toInput(input))),
      })),
  }),
);

const RollbackRunInputRef = inputOf(
  "RollbackRunInput",
  "A way back.",
  "The run to go back to; its outcome must be APPLIED, of more than a refresh.",
  "none, or 0",
);
const RollbackRunResultRef = builder.unionType("RollbackRunResult", {
  description: "What came of `rollbackRun`.",
  types: [successOf("RollbackRunSuccess"), ...ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("rollbackRun", (t) =>
  t.field({
    type: RollbackRunResultRef,
    description:
      "A new run of kind DEPLOY of the source and the variables of an earlier run that was applied, for the whole configuration. Sensitive variables and those of the environment are the ones of now. It plans anew, and asks as any other. The next run that is created takes the current source and variables, and goes forward again: put those right as well.",
    args: { input: t.arg({ type: RollbackRunInputRef, required: true, description: "Where to." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RollbackRunSuccess" as const,
        ...(await context.domain.rollbackRun(context.caller, toInput(input))),
      })),
  }),
);
