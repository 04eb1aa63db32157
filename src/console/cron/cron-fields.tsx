import { useState } from "react";
import { TextField } from "../parts/text-field.tsx";
import { NextTimes } from "./next-times.tsx";

interface CronFieldsOf {
  readonly label: string;
  /** A use of the five fields. */
  readonly example: string;
  /** `undefined`: of a new object, in the time zone of the person. */
  readonly timing: { readonly cron: string; readonly timeZone: string } | undefined;
}

/** The fields of a cron expression and its time zone, with the next times that they name. */
export function CronFields({ label, example, timing }: CronFieldsOf) {
  const first = timing ?? { cron: "", timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const [typed, setTyped] = useState({ cron: first.cron, timeZone: first.timeZone });
  const read = ({ target }: React.FormEvent<HTMLDivElement>): void => {
    if (target instanceof HTMLInputElement) setTyped({ ...typed, [target.name]: target.value });
  };
  return (
    <div onInput={read}>
      <TextField
        name="cron"
        label={label}
        required
        hint={`Minute, hour, day of the month, month, day of the week: ${example}.`}
        defaultValue={first.cron}
      />
      <TextField
        name="timeZone"
        label="Time zone"
        required
        hint="Such as Europe/Berlin."
        defaultValue={first.timeZone}
      />
      <NextTimes {...typed} />
    </div>
  );
}
