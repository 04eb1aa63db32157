import type { FreezeWindowItemFragment } from "../generated/graphql.ts";
import { CronFields } from "../cron/cron-fields.tsx";
import { TextField } from "../parts/text-field.tsx";

/** The fields of a freeze window. A new one is in the time zone of the person. */
export function WindowFields({ window }: { window?: FreezeWindowItemFragment }) {
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} defaultValue={window?.name ?? ""} />
      <CronFields label="Opens" example="0 18 * * 5 is each Friday at 18:00" timing={window} />
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
