import type { Schedule } from "../../model/schedule/schedule.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { InputFields } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { ChangesetRef, changesetLoader } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { ScheduleRef } from "./schedule.ts";
import { MisfireEnum, ScheduledActionEnum } from "./schedule-enums.ts";

const WORDS = {
  name: "The name.",
  cron: "The times: minute, hour, day of month, month, day of week, as in `30 2 * * 1-5`.",
  timeZone: "The name of the time zone of `cron`, such as Europe/Berlin.",
  spreadMinutes: `How far the runs of many workspaces are spread behind the due time, at most ${LIMITS.scheduleSpreadMinutes} minutes.`,
  misfire: "The treatment of due times that passed while no server was up.",
  action: "The action. It takes the permission to make such runs, now and at each due time.",
  command: "The shell command, for the action TASK.",
  enabled: "Whether it is due at its times.",
} as const;

/** Builds the success type of a command on a schedule, with the schedule after the command. */
function scheduleSuccess(description: string): Success<Schedule> {
  return {
    description,
    fields: (t) => ({
      schedule: t.field({ type: ScheduleRef, description: "The schedule.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createSchedule", {
  description: "Creates a schedule. The caller becomes its owner, under whose rights its runs are created.",
  argument: "The schedule.",
  input: {
    description: "The schedule to create: of a workspace, of a label, or, for the action PROMOTE, of a stage.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the schedule." }),
      workspaceId: t.id({ description: "The workspace. If absent, `label` selects workspaces." }),
      label: t.string({
        description:
          "The label of the workspaces, `key` or `key:value`. Those that have it at the due time get a run. It takes the permission in the whole organization.",
      }),
      pipelineId: t.id({
        description: "The pipeline, for the action PROMOTE alone. It takes the permission in the whole organization.",
      }),
      stage: t.string({ description: "The name of the stage that gets commits, for the action PROMOTE." }),
      name: t.string({ required: true, description: WORDS.name }),
      cron: t.string({ required: true, description: WORDS.cron }),
      timeZone: t.string({ required: true, defaultValue: "UTC", description: WORDS.timeZone }),
      spreadMinutes: t.int({ required: true, defaultValue: 0, description: WORDS.spreadMinutes }),
      misfire: t.field({ type: MisfireEnum, required: true, defaultValue: "ONCE", description: WORDS.misfire }),
      action: t.field({ type: ScheduledActionEnum, required: true, description: WORDS.action }),
      command: t.string({ description: WORDS.command }),
      enabled: t.boolean({ required: true, defaultValue: true, description: WORDS.enabled }),
    }),
  },
  success: scheduleSuccess("The schedule was created."),
  run: ({ createSchedule }, caller, { input }) =>
    createSchedule(caller, {
      ...input,
      workspaceId: input.workspaceId ?? null,
      label: input.label ?? null,
      pipelineId: input.pipelineId ?? null,
      stage: input.stage ?? null,
      command: input.command ?? null,
    }),
});

const changedFields = (t: InputFields) => ({
  name: t.string({ description: WORDS.name }),
  label: t.string({ description: "The label of the workspaces. Not allowed where the schedule names a workspace." }),
  cron: t.string({ description: WORDS.cron }),
  timeZone: t.string({ description: WORDS.timeZone }),
  spreadMinutes: t.int({ description: WORDS.spreadMinutes }),
  misfire: t.field({ type: MisfireEnum, description: WORDS.misfire }),
  action: t.field({ type: ScheduledActionEnum, description: WORDS.action }),
  command: t.string({ description: WORDS.command }),
  enabled: t.boolean({ description: WORDS.enabled }),
});

mutation("updateSchedule", {
  description: "Changes a schedule. The caller becomes its owner.",
  argument: "The schedule and its changes.",
  input: {
    description:
      "The changes to a schedule. An absent field is not changed; null clears `command` and is invalid elsewhere.",
    fields: (t) => ({
      scheduleId: t.id({ required: true, description: "The schedule to change." }),
      ...changedFields(t),
    }),
  },
  success: scheduleSuccess("The schedule was changed."),
  run: ({ updateSchedule }, caller, { input }) => updateSchedule(caller, input),
});

mutation("deleteSchedule", {
  description: "Deletes a schedule. Its runs stay.",
  argument: "The schedule to delete.",
  input: {
    description: "The schedule to delete.",
    fields: (t) => ({ scheduleId: t.id({ required: true, description: "The schedule." }) }),
  },
  success: deletedSuccess("The schedule is deleted.", "The id of the schedule."),
  run: ({ deleteSchedule }, caller, { input }) => deleteSchedule(caller, input),
});

mutation("runScheduleNow", {
  description: "Does the action of a schedule now, under the rights of the caller. Its next due time stays.",
  argument: "The schedule to run.",
  input: {
    description: "The schedule to run.",
    fields: (t) => ({ scheduleId: t.id({ required: true, description: "The schedule." }) }),
  },
  success: {
    description: "The runs are being created.",
    fields: (t) => ({
      schedule: t.field({ type: ScheduleRef, description: "The schedule.", resolve: ({ value }) => value.schedule }),
      changeset: t.field({
        type: ChangesetRef,
        description: "The changeset with the runs.",
        resolve: async ({ value }, _args, { loaders }) =>
          present(await loaders.load(changesetLoader, value.changesetId), `Changeset ${value.changesetId}`),
      }),
    }),
  },
  run: ({ runScheduleNow }, caller, { input }) => runScheduleNow(caller, input),
});
