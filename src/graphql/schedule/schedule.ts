import type { Schedule } from "../../model/schedule/schedule.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import {
  ChangesetRef,
  changesetLoader,
  OrganizationRef,
  organizationLoader,
  WorkspaceRef,
  workspaceLoader,
} from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { pipelineLoader, PipelineRef } from "../promotion/pipeline.ts";
import { MisfireEnum, ScheduledActionEnum } from "./schedule-enums.ts";

export const scheduleLoader = loaderById(["schedule"], (domain, caller, ids) => domain.schedules(caller, ids));
const schedulesOfWorkspaceLoader = loaderOf((domain, caller, ids) => domain.schedulesOfWorkspaces(caller, ids));

export const ScheduleRef = builder.objectRef<Schedule>("Schedule");
addNode("schedule", "Schedule", scheduleLoader);
ScheduleRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description:
    "An action on a workspace, on those with a label, or on a stage of a pipeline, at times that a cron expression names.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, which need not be unique." }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the schedule.",
      extensions: LEAVES_WORKSPACE,
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      description: "The workspace. `null` if the schedule selects workspaces by its label, or promotes.",
      resolve: ({ workspaceId }, _args, { loaders }) =>
        workspaceId === null ? null : loaders.load(workspaceLoader, workspaceId),
    }),
    label: t.exposeString("label", {
      nullable: true,
      description:
        "The label of its workspaces: `key` or `key:value`. `null` if the schedule names a workspace, or promotes.",
    }),
    pipeline: t.field({
      type: PipelineRef,
      nullable: true,
      description: "The pipeline to a stage of which it promotes. `null` for other actions, and if it was deleted.",
      resolve: ({ pipelineId }, _args, { loaders }) =>
        pipelineId === null ? null : loaders.load(pipelineLoader, pipelineId),
    }),
    stage: t.exposeString("stage", {
      nullable: true,
      description: "The name of the stage to which it promotes. `null` for other actions.",
    }),
    cron: t.exposeString("cron", {
      description: "The times: minute, hour, day of month, month, day of week.",
    }),
    timeZone: t.exposeString("timeZone", { description: "The name of the time zone of `cron`." }),
    spreadMinutes: t.exposeInt("spreadMinutes", {
      description:
        "Each run begins up to this many minutes after the due time, always by the same time in a workspace.",
    }),
    misfire: t.expose("misfire", {
      type: MisfireEnum,
      description: "The treatment of due times that passed while no server was up.",
    }),
    action: t.expose("action", { type: ScheduledActionEnum, description: "The action." }),
    command: t.exposeString("command", {
      nullable: true,
      description: "The shell command of a TASK. `null` for other actions.",
    }),
    enabled: t.exposeBoolean("enabled", { description: "Whether it is due at its times." }),
    owner: t.field({
      type: ActorRef,
      description: "The actor under whose rights its runs are created: the one that created or changed it last.",
      resolve: async ({ id, ownerId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, ownerId), `Owner of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    nextAt: t.expose("nextAt", {
      type: "DateTime",
      nullable: true,
      description: "The next due time. `null` if it is disabled, or never due again.",
    }),
    lastAt: t.expose("lastAt", {
      type: "DateTime",
      nullable: true,
      description: "The last due time that was considered. `null` before the first.",
    }),
    lastChangeset: t.field({
      type: ChangesetRef,
      nullable: true,
      description:
        "The runs of the last due time that had any. `null` if none had, or the caller may see none of them.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ lastChangesetId }, _args, { loaders }) =>
        lastChangesetId === null ? null : loaders.load(changesetLoader, lastChangesetId),
    }),
    lastProblem: t.exposeString("lastProblem", {
      nullable: true,
      description: "Why the last due time had no runs, or not in all workspaces. `null` if nothing was wrong.",
    }),
  }),
});

const EdgeRef = edgeRef<Schedule>("Schedule", "schedule");
const ConnectionRef = connectionRef<Schedule>("Schedule", "A page of schedules, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ScheduleRef, description: "The schedule.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The schedules.", resolve: (connection) => connection.edges }),
);

builder.objectField(OrganizationRef, "schedules", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("RUN_READ"),
    description: "The schedules of the organization and of its workspaces that the caller may read, oldest first.",
    args: pageArgs(),
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `schedules of ${id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      return toConnection(name, await domain.listSchedules(caller, id, request), (schedule) => schedule.id);
    },
  }),
);

builder.objectField(WorkspaceRef, "schedules", (t) =>
  t.field({
    type: [ScheduleRef],
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The schedules that name this workspace, oldest first. Those that select it by a label are not among them.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(schedulesOfWorkspaceLoader, id),
  }),
);
