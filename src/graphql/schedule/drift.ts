import type { Drift } from "../../model/workspace/drift.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { RunRef, runLoader, WorkspaceRef } from "../kit/refs.ts";

const driftLoader = loaderOf((domain, caller, ids) => domain.drifts(caller, ids));

const DriftRef = builder.objectRef<Drift>("Drift").implement({
  description: "What differs from the configuration that was applied last, because something else changed it.",
  fields: (t) => ({
    foundAt: t.expose("foundAt", { type: "DateTime", description: "When it was found first." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The newest check that shows it. Its plan has what differs. `null` if the caller may not read it.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    resources: t.exposeInt("resources", {
      description: "The number of resources that differ. Data sources that would be read again do not count.",
    }),
    outputs: t.exposeInt("outputs", { description: "The number of outputs that differ." }),
  }),
});

builder.objectField(WorkspaceRef, "drift", (t) =>
  t.field({
    type: DriftRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The drift that the newest check found. `null` if it found none, there was no check, or the whole configuration was applied since.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(driftLoader, id),
  }),
);
