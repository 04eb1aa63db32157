/** Checks the settings of schedules. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { isLabel, LABEL_WORDS } from "../../model/workspace/label.ts";
import { type PromotionPipeline, stepsOf } from "../../model/promotion/promotion.ts";
import type { Schedule } from "../../model/schedule/schedule.ts";
import type { InputCheck } from "../kit/input.ts";
import { CRON_WORDS } from "../kit/cron-words.ts";
import { isCron, isTimeZone, nextDue } from "./due-times.ts";

/** The settings that a person chooses. */
export type ScheduleSettings = Pick<
  Schedule,
  "name" | "cron" | "timeZone" | "spreadMinutes" | "misfire" | "action" | "command" | "enabled" | "label"
>;

/** Checks the settings as they will be. Returns the next due time; `null` if it is disabled, or the input is wrong. */
export function checkSchedule(check: InputCheck, settings: ScheduleSettings, at: Date): Date | null {
  const { name, cron, timeZone, spreadMinutes, action, command, label } = settings;
  check.label("name", name);
  const most = LIMITS.scheduleSpreadMinutes;
  const isBounded = spreadMinutes >= 0 && spreadMinutes <= most;
  check.require(isBounded, "spreadMinutes", `must be from 0 to ${most}.`);
  if (action === "TASK") check.require((command ?? "").trim() !== "", "command", "is required for the action TASK.");
  else check.require(command === null, "command", "is allowed with the action TASK only.");
  check.text("command", command);
  const isSpread = action !== "PROMOTE" || spreadMinutes <= 0;
  check.require(isSpread, "spreadMinutes", "must be 0 for the action PROMOTE: its runs begin together.");
  if (label !== null) check.require(isLabel(label), "label", `${LABEL_WORDS}.`);
  return checkTimes(check, { cron, timeZone, enabled: settings.enabled }, at);
}

/** Checks a cron expression and its time zone. Returns the next due time, as `checkSchedule` does. */
export function checkTimes(
  check: InputCheck,
  { cron, timeZone, enabled }: Pick<ScheduleSettings, "cron" | "timeZone" | "enabled">,
  at: Date,
): Date | null {
  const hasZone = timeZone.length <= LIMITS.nameLength && isTimeZone(timeZone);
  check.require(hasZone, "timeZone", "must be the name of a time zone, such as Europe/Berlin.");
  const hasCron = cron.length <= LIMITS.keyLength && isCron(cron);
  check.require(hasCron, "cron", CRON_WORDS);
  if (!hasZone || !hasCron) return null;
  const next = nextDue({ cron, timeZone }, at);
  check.require(next !== null, "cron", "must match some time: this schedule would never be due.");
  return enabled ? next : null;
}

/** Checks that a new schedule names one workspace, a label, or, for PROMOTE, a stage of a pipeline. */
export function checkTarget(
  check: InputCheck,
  { workspaceId, label, pipelineId, stage, action }: Pick<Schedule, "workspaceId" | "label" | "action"> & StageTarget,
  pipeline: PromotionPipeline | null,
): void {
  if (action === "PROMOTE") {
    check.require(pipelineId !== null, "pipelineId", "is required for the action PROMOTE.");
    check.require(workspaceId === null, "workspaceId", "is not allowed with the action PROMOTE.");
    check.require(label === null, "label", "is not allowed with the action PROMOTE.");
    const names = pipeline === null ? [] : stepsOf(pipeline).map((step) => step.stage.name);
    const known = names.map((name) => `"${name}"`).join(", ");
    if (pipeline !== null) {
      check.require(
        names.includes(stage ?? ""),
        "stage",
        `must be a stage of the pipeline with one before it: ${known}.`,
      );
    }
    return;
  }
  check.require(pipelineId === null, "pipelineId", "is allowed with the action PROMOTE only.");
  check.require(stage === null, "stage", "is allowed with the action PROMOTE only.");
  const isOne = (workspaceId === null) !== (label === null);
  check.require(isOne, "label", "is required unless `workspaceId` is given, and not allowed beside it.");
}

/** A stage to which a schedule promotes. */
export type StageTarget = Pick<Schedule, "pipelineId" | "stage">;

/** Whether an id can be one of a schedule. */
export function isScheduleId(id: string): boolean {
  return idKind(id) === "schedule";
}
