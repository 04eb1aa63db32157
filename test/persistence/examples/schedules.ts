import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import type { Schedule } from "../../../src/model/schedule/schedule.ts";
import * as applied from "../../../src/persistence/schedule/applied-source-store.ts";
import * as firings from "../../../src/persistence/schedule/firing-store.ts";
import type { InboundHook } from "../../../src/model/schedule/inbound-hook.ts";
import * as hooks from "../../../src/persistence/schedule/inbound-hook-store.ts";
import * as owners from "../../../src/persistence/schedule/owner-store.ts";
import * as schedules from "../../../src/persistence/schedule/schedule-store.ts";
import { between, exampleStore, FIRST, type World } from "./world.ts";

const SCOPE = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a"],
} as const satisfies CallerScope;

function scheduleOf({ workspace, actorId, id, at }: World): Schedule {
  return {
    id: id("schedule"),
    organizationId: workspace.organizationId,
    projectId: workspace.projectId,
    workspaceId: workspace.id,
    label: null,
    pipelineId: null,
    stage: null,
    name: "nightly",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    spreadMinutes: 10,
    misfire: "ONCE",
    action: "RUN",
    command: null,
    enabled: true,
    ownerId: actorId,
    createdAt: at,
    nextAt: at,
    lastAt: null,
    lastChangesetId: null,
    lastProblem: null,
  };
}

export const SCHEDULE_STORES = {
  "schedule-store": exampleStore(schedules, (world) => {
    const { tx, at, workspace } = world;
    const { organizationId } = workspace;
    const schedule = scheduleOf(world);
    return {
      insertSchedule: () => schedules.insertSchedule(tx, schedule),
      updateScheduleRow: () => schedules.updateScheduleRow(tx, { ...schedule, name: "weekly" }),
      lockSchedule: () => schedules.lockSchedule(tx, schedule.id),
      findSchedules: () => schedules.findSchedules(tx, [schedule.id]),
      listSchedules: () => schedules.listSchedules(tx, EVERYTHING, organizationId, FIRST),
      "listSchedules: of a scope, backward": () =>
        schedules.listSchedules(tx, SCOPE, organizationId, between("sch_a", "sch_z")),
      listSchedulesOfWorkspaces: () => schedules.listSchedulesOfWorkspaces(tx, [workspace.id]),
      countSchedules: () => schedules.countSchedules(tx, organizationId),
      markScheduleDeleted: () => schedules.markScheduleDeleted(tx, schedule.id, at),
    };
  }),
  "firing-store": exampleStore(firings, (world) => {
    const { tx, prepare, at } = world;
    const schedule = scheduleOf(world);
    const firing = { scheduleId: schedule.id, dueAt: at, at, changesetId: null, problem: "none" };
    return {
      listDueSchedules: async () => {
        await prepare(schedules.insertSchedule(tx, schedule));
        await firings.listDueSchedules(tx, at, 10);
      },
      insertFiring: () => firings.insertFiring(tx, firing),
      moveSchedule: () =>
        firings.moveSchedule(tx, schedule.id, { nextAt: at, lastAt: at, changesetId: null, problem: "none" }),
      listBusyWorkspaces: () => firings.listBusyWorkspaces(tx, schedule.id),
      removeFirings: () => firings.removeFirings(tx, schedule.id, at),
      stopSchedule: () => firings.stopSchedule(tx, schedule.id),
    };
  }),
  "inbound-hook-store": exampleStore(hooks, (world) => {
    const { tx, cipher, at, workspace, actorId, id } = world;
    const hook: InboundHook = {
      id: id("inboundHook"),
      organizationId: workspace.organizationId,
      name: "tickets",
      workspaceIds: [workspace.id],
      kind: "PLAN",
      mapping: [{ key: "ticket", pointer: "/id" }],
      ownerId: actorId,
      createdAt: at,
      lastAt: null,
      lastProblem: null,
    };
    const delivery = { id: "d1", at, changesetId: null, problem: null, keptSince: at };
    return {
      insertInboundHook: () => hooks.insertInboundHook(tx, cipher, hook, "secret"),
      updateInboundHookRow: () => hooks.updateInboundHookRow(tx, { ...hook, name: "releases" }),
      lockInboundHook: () => hooks.lockInboundHook(tx, hook.id),
      findInboundHooks: () => hooks.findInboundHooks(tx, [hook.id]),
      listInboundHooks: () => hooks.listInboundHooks(tx, [hook.organizationId]),
      replaceInboundSecret: () => hooks.replaceInboundSecret(tx, cipher, hook.id, { secret: "new", formerUntil: at }),
      findHookWithSecrets: () => hooks.findHookWithSecrets(tx, cipher, hook.id, at),
      findDelivery: () => hooks.findDelivery(tx, hook.id, "d1"),
      recordDelivery: () => hooks.recordDelivery(tx, hook.id, delivery),
      markInboundHookDeleted: () => hooks.markInboundHookDeleted(tx, hook.id, at),
    };
  }),
  "owner-store": exampleStore(owners, ({ tx, id }) => ({ findOwner: () => owners.findOwner(tx, id("schedule")) })),
  "applied-source-store": exampleStore(applied, ({ tx, workspace }) => ({
    findAppliedSources: () => applied.findAppliedSources(tx, [workspace.id]),
  })),
};
