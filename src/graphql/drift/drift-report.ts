import { LIMITS } from "../../model/kit/limits.ts";
import type { DriftAcknowledgement } from "../../model/workspace/drift.ts";
import type { DriftedResource, DriftReport, DriftResult } from "../../model/workspace/drift-report.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { numberPosition } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { ChangesetRef, changesetLoader, RunRef, runLoader } from "../kit/refs.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { ResourceActionEnum } from "../plan/resource-change.ts";
import { DriftActionEnum } from "../plan/resource-drift.ts";

export const driftReportLoader = loaderById(["driftReport"], (domain, caller, ids) => domain.driftReports(caller, ids));
const ofRunLoader = loaderOf((domain, caller, ids) => domain.driftReportsOfRuns(caller, ids));
const acknowledgementLoader = loaderOf((domain, caller, ids) => domain.driftAcknowledgements(caller, ids));

const ResultEnum = describedEnum<DriftResult>("DriftResult", "The result of a check for drift.", {
  CLEAN: "No drift but what the workspace ignores.",
  DRIFTED: "Drift.",
  ERRORED: "Nothing: the check failed.",
});

const AcknowledgementRef = builder.objectRef<DriftAcknowledgement>("DriftAcknowledgement").implement({
  description: "A record that people know of a drift. Until it ends the same drift sends no webhook and gets no run.",
  fields: (t) => ({
    until: t.expose("until", { type: "DateTime", description: "When it ends." }),
    note: t.exposeString("note", { nullable: true, description: "Why." }),
    by: t.field({
      type: ActorRef,
      description: "The actor that acknowledged it.",
      resolve: async ({ actorId }, _args, { loaders }) => present(await loaders.load(actorLoader, actorId), actorId),
    }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
  }),
});

const ResourceRef = builder.objectRef<DriftedResource>("DriftedResource").implement({
  description: "A resource that differs from what was applied.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address." }),
    type: t.exposeString("type", { description: "The type, as its provider names it." }),
    change: t.expose("change", {
      type: DriftActionEnum,
      nullable: true,
      description: "The change that no run made. `null` if the engine found no change, and only the plan differs.",
    }),
    plannedAction: t.expose("plannedAction", {
      type: ResourceActionEnum,
      nullable: true,
      description: "The action of a run of the applied configuration on it. `null` if there is none.",
    }),
    paths: t.exposeStringList("paths", {
      description:
        "The attributes that differ, such as `tags.Name`. Empty for the whole resource, and where there is too much to compare.",
    }),
  }),
});

type Listed = DriftedResource & { position: number };
const EdgeRef = edgeRef<Listed>("DriftedResource", "resource");
const ConnectionRef = connectionRef<Listed>("DriftedResource", "A page of the resources of a report, by address.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ResourceRef, description: "The resource.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The resources.", resolve: (connection) => connection.edges }),
);

export const DriftReportRef = builder.objectRef<DriftReport>("DriftReport");
addNode("driftReport", "DriftReport", driftReportLoader);
DriftReportRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The result of a check for drift.",
  interfaces: [NodeRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The check. Its plan has the values.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.load(runLoader, runId), runId),
    }),
    result: t.expose("result", { type: ResultEnum, description: "The result." }),
    resourceCount: t.exposeInt("resourceCount", { description: "The number of resources that differ." }),
    outputCount: t.exposeInt("outputCount", { description: "The number of outputs that differ." }),
    ignoredCount: t.exposeInt("ignoredCount", {
      description: "The number of resources that differ only in what the workspace ignores.",
    }),
    outputs: t.exposeStringList("outputs", { description: "The names of the outputs that differ." }),
    fingerprint: t.exposeString("fingerprint", {
      description: "Equal for reports of the same drift. Empty if there is none.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the check ended." }),
    resources: t.field({
      type: ConnectionRef,
      description: `The resources that differ, by address; at most the first ${LIMITS.driftedResources} of them.`,
      args: pageArgs(LIMITS.pageSize),
      resolve: async ({ id }, args, { caller, domain }) => {
        const name = `drifted resources of ${id}`;
        const request = toPageRequest(args, { name, position: numberPosition });
        const page = await domain.listDriftedResources(caller, id, request);
        return toConnection(name, page, ({ position }) => position);
      },
    }),
    acknowledgement: t.field({
      type: AcknowledgementRef,
      nullable: true,
      description: "The acknowledgement of this drift that is in force. `null` if there is none.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(acknowledgementLoader, id),
    }),
    reconciledBy: t.field({
      type: ChangesetRef,
      nullable: true,
      description: "The changeset whose run undoes the drift. `null` if there is none.",
      resolve: ({ changesetId }, _args, { loaders }) =>
        changesetId === null ? null : loaders.load(changesetLoader, changesetId),
    }),
  }),
});

builder.objectField(RunRef, "driftReport", (t) =>
  t.field({
    type: DriftReportRef,
    nullable: true,
    description: "The result of the run, if it is a check for drift. `null` for other runs, and before its end.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(ofRunLoader, id),
  }),
);
