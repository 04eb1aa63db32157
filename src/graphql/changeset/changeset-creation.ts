import { CHANGESET_KINDS, type ChangesetKind } from "../../model/changeset/changeset.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { inputError } from "../kit/errors.ts";
import { mutation } from "../kit/mutation.ts";
import { ChangesetRef } from "../kit/refs.ts";
import { RunKindEnum } from "../run/run-enums.ts";

function toKind(kind: string): ChangesetKind {
  const known = CHANGESET_KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  throw inputError([{ path: ["input", "kind"], message: `Must be one of ${CHANGESET_KINDS.join(", ")}.` }]);
}

mutation("createChangeset", {
  description: "Creates a changeset: one change over many workspaces, with a run in each.",
  argument: "The changeset.",
  input: {
    description:
      "The changeset to create. Its runs get the sources and the variables of their workspaces when each is created.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the workspaces." }),
      title: t.string({ required: true, description: "The reason for the runs, for their approvers; one line." }),
      kind: t.field({
        type: RunKindEnum,
        required: true,
        defaultValue: "DEPLOY",
        description: `The kind of the runs: ${CHANGESET_KINDS.join(", ")}.`,
      }),
      workspaceIds: t.idList({
        description: `The workspaces, each once; at most ${LIMITS.workspacesSelected}. Required without \`labels\`.`,
      }),
      labels: t.stringList({
        description:
          "In place of `workspaceIds`: all workspaces that have these labels, in which the caller may create such runs. `key` matches each value of that key, `key:value` this value alone.",
      }),
      withDependents: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether to add the workspaces that depend on them, directly or through others.",
      }),
      command: t.string({ description: "The shell command of runs of kind TASK." }),
      idempotencyKey: t.string({
        description:
          "An idempotency key. A repeated request with the same key within 24 hours returns the first changeset.",
      }),
    }),
  },
  success: {
    description: "The changeset exists.",
    fields: (t) => ({
      changeset: t.field({
        type: ChangesetRef,
        description: "The changeset. Its runs are created in the background.",
        resolve: ({ value }) => value.changeset,
      }),
      created: t.boolean({
        description: "Whether it is new. `false` if the idempotency key was already used for the same request.",
        resolve: ({ value }) => value.created,
      }),
    }),
  },
  run: ({ createChangeset }, caller, { input }) =>
    createChangeset(caller, {
      organizationId: input.organizationId,
      title: input.title,
      kind: toKind(input.kind),
      workspaceIds: input.workspaceIds ?? null,
      labels: input.labels ?? null,
      withDependents: input.withDependents,
      command: input.command ?? null,
      idempotencyKey: input.idempotencyKey ?? null,
    }),
});
