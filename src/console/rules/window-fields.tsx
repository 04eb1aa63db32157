import type { FreezeWindowItemFragment } from "../generated/graphql.ts";
import { TextField } from "../parts/text-field.tsx";

/** The fields of a freeze window. A new one is in the time zone of the person. */
export function WindowFields({ window }: { window?: FreezeWindowItemFragment }) {
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} defaultValue={window?.name ?? ""} />
      <TextField
        name="cron"
        label="Opens"
        required
        hint="Minute, hour, day of the month, month, day of the week: 0 18 * * 5 is each Friday at 18:00."
        defaultValue={window?.cron ?? ""}
      />
      <TextField
        name="timeZone"
        label="Time zone"
        required
        hint="Such as Europe/Berlin."
        defaultValue={window?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
      />
      <TextField
        name="durationMinutes"
        label="Length in minutes"
        type="number"
        required
        min={1}
        defaultValue={window?.durationMinutes ?? ""}
      />
    </>
  );
}
