import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { WorkspaceRef } from "../kit/refs.ts";

export const LABELS_INPUT_WORDS = `The labels, at most ${LIMITS.labelsPerWorkspace}: "key" or "key:value", each key once. Both parts have 1 to 63 letters, digits, dots, underscores, slashes and hyphens.`;

builder.objectField(WorkspaceRef, "labels", (t) =>
  t.stringList({
    description: "The labels, sorted: `key` or `key:value`. Lists, bulk operations and schedules select by them.",
    resolve: ({ labels }) => labels,
  }),
);
