import type { ChangesetOperation } from "../../domain/changeset/approve-changeset.ts";
import { GateEnum } from "../approval/approval.ts";
import { BulkOperationRef } from "../bulk/bulk.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { ChangesetRef } from "../kit/refs.ts";

function operationSuccess(description: string): Success<ChangesetOperation> {
  return {
    description,
    fields: (t) => ({
      changeset: t.field({
        type: ChangesetRef,
        description: "The changeset as it was when the operation began.",
        resolve: ({ value }) => value.changeset,
      }),
      operation: t.field({
        type: BulkOperationRef,
        description: "The operation on its runs. Each run has a result of its own.",
        resolve: ({ value }) => value.operation,
      }),
    }),
  };
}

mutation("approveChangeset", {
  description:
    "Approves the plans of a changeset that wait at a gate: exactly those that the caller reviewed, or none. Each run is approved by its own rules.",
  argument: "The changeset as the caller reviewed it.",
  input: {
    description: "The changeset, and what was reviewed.",
    fields: (t) => ({
      changesetId: t.id({ required: true, description: "The changeset." }),
      gate: t.field({ type: GateEnum, required: true, description: "The gate at which the runs wait." }),
      version: t.int({ required: true, description: "`Changeset.version` of what was reviewed." }),
      planDigest: t.string({ required: true, description: "`Changeset.planDigest` of what was reviewed." }),
      comment: t.string({ description: "The comment of each approval." }),
    }),
  },
  success: operationSuccess("The approvals have begun."),
  run: ({ approveChangeset }, caller, { input }) =>
    approveChangeset(caller, { ...input, comment: input.comment ?? null }),
});

mutation("discardChangeset", {
  description:
    "Ends what is not approved of a changeset: plans at gates are discarded, other runs cancelled or asked to stop, and no more are created. Approved runs continue.",
  argument: "The changeset to discard.",
  input: {
    description: "The changeset to discard.",
    fields: (t) => ({
      changesetId: t.id({ required: true, description: "The changeset." }),
      comment: t.string({ description: "The reason of each end." }),
    }),
  },
  success: operationSuccess("The end of its runs has begun."),
  run: ({ discardChangeset }, caller, { input }) =>
    discardChangeset(caller, { changesetId: input.changesetId, comment: input.comment ?? null }),
});

mutation("continueChangeset", {
  description:
    "Lets the runs of a changeset be created that was held back because there are so many. It takes the permission to create each of them.",
  argument: "The changeset to continue.",
  input: {
    description: "The changeset to continue.",
    fields: (t) => ({ changesetId: t.id({ required: true, description: "The changeset." }) }),
  },
  success: {
    description: "The runs are being created.",
    fields: (t) => ({
      changeset: t.field({
        type: ChangesetRef,
        description: "The changeset as it is now.",
        resolve: ({ value }) => value,
      }),
    }),
  },
  run: ({ continueChangeset }, caller, { input }) => continueChangeset(caller, input),
});
