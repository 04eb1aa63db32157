import type { Drift } from "../../model/workspace/drift.ts";
import type { DriftStatus } from "../../model/workspace/drift-report.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { RunRef, runLoader, WorkspaceRef } from "../kit/refs.ts";
import { DriftReportRef } from "./drift-report.ts";

const driftLoader = loaderOf((domain, caller, ids) => domain.drifts(caller, ids));
const statusLoader = loaderOf((domain, caller, ids) => domain.driftStatuses(caller, ids));
const newestReportLoader = loaderOf((domain, caller, ids) => domain.newestDriftReports(caller, ids));

const StatusEnum = describedEnum<DriftStatus>("DriftStatus", "Whether a workspace has drifted from what was applied.", {
  NONE: "The newest check found no drift but what the workspace ignores.",
  DRIFTED: "There is drift.",
  ACKNOWLEDGED: "There is drift, and people have acknowledged it.",
  UNKNOWN: "Nothing was checked yet.",
  ERRORED: "The newest check failed.",
});

const DriftRef = builder.objectRef<Drift>("Drift").implement({
  description: "Differences from the configuration that was applied last, which no run made.",
  fields: (t) => ({
    foundAt: t.expose("foundAt", { type: "DateTime", description: "When it was found first." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The newest check that shows it. Its plan has what differs. `null` if the caller may not read it.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    resources: t.exposeInt("resources", {
      description:
        "The number of resources that differ. Data sources that would be read again do not count, and neither does what the workspace ignores.",
    }),
    outputs: t.exposeInt("outputs", { description: "The number of outputs that differ." }),
  }),
});

builder.objectFields(WorkspaceRef, (t) => ({
  drift: t.field({
    type: DriftRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The drift that the newest check found. `null` if it found none, there was no check, or the whole configuration was applied since.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(driftLoader, id),
  }),
  driftStatus: t.field({
    type: StatusEnum,
    extensions: requiredPermissions("RUN_READ"),
    description: "Whether the workspace has drifted. UNKNOWN also if the caller may not read its runs.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(statusLoader, id),
  }),
  driftReport: t.field({
    type: DriftReportRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description: "The report of the newest check. `null` if there was none.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(newestReportLoader, id),
  }),
}));
