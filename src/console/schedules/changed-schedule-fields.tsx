import { useState } from "react";
import type { ScheduleRowFragment } from "../generated/graphql.ts";
import { TextField } from "../parts/text-field.tsx";
import { ActionField, LABEL_HINT, TimeFields } from "./schedule-fields.tsx";
import { ACTION_NAMES } from "./scheduled-actions.ts";

/** The fields of a schedule that is changed. It stays in its workspaces, or at its stage. */
export function ChangedScheduleFields({ schedule }: { schedule: ScheduleRowFragment }) {
  const { name, command, label } = schedule;
  const [action, setAction] = useState(schedule.action);
  const promotes = schedule.action === "PROMOTE";
  const actions = ACTION_NAMES.filter((known) => (known === "PROMOTE") === promotes);
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} defaultValue={name} />
      <ActionField actions={actions} action={action} command={command ?? ""} onChoose={setAction} />
      {label != null && <TextField name="label" label="Label" required hint={LABEL_HINT} defaultValue={label} />}
      <TimeFields action={action} schedule={schedule} />
    </>
  );
}
