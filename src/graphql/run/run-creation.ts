import type { Run } from "../../model/run/run.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { MetadataEntryInputRef } from "../kit/metadata.ts";
import { RunRef } from "../kit/refs.ts";
import { RunKindEnum } from "./run-enums.ts";
import {
  ForbiddenErrorRef,
  IdempotencyConflictErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
  StalePlanErrorRef,
} from "../kit/user-error.ts";

const CreateRunInputRef = builder.inputType("CreateRunInput", {
  description:
    "A new run. The source and the variables are taken as they are now; those of an APPLY are its PLAN run's.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace that it changes." }),
    kind: t.field({ type: RunKindEnum, required: true, defaultValue: "DEPLOY", description: "What it is to do." }),
    message: t.string({ description: "Why, for those who decide about it." }),
    targets: t.stringList({
      description:
        "Limits the run to these resources, instances or modules and what they depend on; kinds DEPLOY, DESTROY and PLAN. The run fails with TARGET_NOT_FOUND if one of them matches nothing.",
    }),
    replace: t.stringList({
      description:
        "Resource addresses that are to be made anew even if unchanged; kinds DEPLOY and PLAN, not with `refreshOnly`.",
    }),
    refreshOnly: t.boolean({
      description: "Only take into the state what changed outside; kinds DEPLOY and PLAN. Absent: false.",
    }),
    command: t.string({
      description:
        "For kind TASK: what is to be performed, as a shell reads it; it is shown to whoever approves it. The workspace must allow tasks.",
    }),
    planRunId: t.id({ description: "For kind APPLY: the finished PLAN run whose plan is to be applied." }),
    metadata: t.field({
      type: [MetadataEntryInputRef],
      description: "What is to be noted with it: at most 50 entries, no key twice.",
    }),
    priority: t.int({ description: "-100 to 100; higher goes first, among the runs of its class. Absent: 0." }),
    scheduledAt: t.field({
      type: "DateTime",
      description: "Not to begin before this instant, which must be in the future. Absent: as soon as it can.",
    }),
    idempotencyKey: t.string({
      description:
        "The same key with the same request within 24 hours gives the first run again; unique per workspace and caller.",
    }),
  }),
});

const CreateRunSuccessRef = builder
  .objectRef<{ type: "CreateRunSuccess"; run: Run; created: boolean }>("CreateRunSuccess")
  .implement({
    description: "The run exists.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run.", resolve: ({ run }) => run }),
      created: t.exposeBoolean("created", {
        description: "false: the idempotency key had been used for the same request.",
      }),
    }),
  });

const CreateRunResultRef = builder.unionType("CreateRunResult", {
  description: "What came of `createRun`.",
  types: [
    CreateRunSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    IdempotencyConflictErrorRef,
    StalePlanErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});

const CREATE_RUN_ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "IdempotencyConflictError",
  "StalePlanError",
  "RunStateConflictError",
] as const;

builder.mutationField("createRun", (t) =>
  t.field({
    type: CreateRunResultRef,
    description: "Creates a run; it begins as soon as nothing is in its way.",
    args: { input: t.arg({ type: CreateRunInputRef, required: true, description: "The run." }) },
    resolve: (_root, { input }, context) =>
      answer(context, CREATE_RUN_ERRORS, async () => ({
        type: "CreateRunSuccess" as const,
        ...(await context.domain.createRun(context.caller, {
          workspaceId: input.workspaceId,
          kind: input.kind,
          message: input.message ?? null,
          targets: input.targets ?? null,
          replace: input.replace ?? null,
          refreshOnly: input.refreshOnly ?? false,
          planRunId: input.planRunId ?? null,
          command: input.command ?? null,
          metadata: input.metadata ?? null,
          priority: input.priority ?? 0,
          scheduledAt: input.scheduledAt ?? null,
          idempotencyKey: input.idempotencyKey ?? null,
        })),
      })),
  }),
);
