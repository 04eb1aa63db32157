/** Schedules as the API takes them, from their forms. */
import type { CreateScheduleInput, Misfire, UpdateScheduleInput } from "../generated/graphql.ts";
import { changedOf, numberOfField, textOfField } from "../parts/field.ts";
import { isAction } from "./scheduled-actions.ts";

type Settings = Omit<UpdateScheduleInput, "scheduleId">;

/** Reads the settings that a schedule has at any time. A field that the form does not show has its usual value. */
function readCommon(form: HTMLFormElement) {
  const action = textOfField(form, "action");
  const misfire: Misfire = textOfField(form, "misfire") === "SKIP" ? "SKIP" : "ONCE";
  return {
    name: textOfField(form, "name"),
    action: isAction(action) ? action : "RUN",
    command: textOfField(form, "command") || null,
    cron: textOfField(form, "cron"),
    timeZone: textOfField(form, "timeZone"),
    spreadMinutes: numberOfField(form, "spreadMinutes") ?? 0,
    misfire,
  } as const;
}

/** Reads the changes to a schedule. Another action comes with all settings, as the form shows others then. */
export function readSettings(form: HTMLFormElement, { label }: { readonly label?: string | null }): Settings {
  const settings = { ...readCommon(form), ...(label != null && { label: textOfField(form, "label") }) };
  const changed = changedOf(form, settings);
  return changed.action === undefined ? changed : settings;
}

/** Reads a new schedule; `workspaceId`: the workspace on whose page it is made. */
export function readSchedule(
  form: HTMLFormElement,
  workspaceId: string | null,
): Omit<CreateScheduleInput, "organizationId"> {
  const common = readCommon(form);
  const target = common.action === "PROMOTE" ? readStage(form) : readWorkspaces(form, workspaceId);
  return { ...common, ...target };
}

/** Separates the stage from its pipeline in the value of a choice: an id has no space. */
function readStage(form: HTMLFormElement): Pick<CreateScheduleInput, "pipelineId" | "stage"> {
  const value = textOfField(form, "stage");
  const at = value.indexOf(" ");
  return at === -1 ? {} : { pipelineId: value.slice(0, at), stage: value.slice(at + 1) };
}

function readWorkspaces(
  form: HTMLFormElement,
  workspaceId: string | null,
): Pick<CreateScheduleInput, "workspaceId" | "label"> {
  if (workspaceId !== null) return { workspaceId };
  const chosen = textOfField(form, "workspaceId");
  return chosen === "" ? { label: textOfField(form, "label") } : { workspaceId: chosen };
}
