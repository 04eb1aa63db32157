/** The fields that new schedules and those that are changed have in common. */
import type { Misfire, ScheduledAction, ScheduleRowFragment } from "../generated/graphql.ts";
import { CronFields } from "../cron/cron-fields.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { isAction, isSpreadable, wordsOfAction } from "./scheduled-actions.ts";

const MISFIRES: readonly (readonly [Misfire, string])[] = [
  ["ONCE", "The last of them is made up for"],
  ["SKIP", "They are dropped"],
];

/** The hint of the field of a label. */
export const LABEL_HINT = "Those that have the label then get a run: key, or key:value.";

interface ActionFieldOf {
  readonly actions: readonly ScheduledAction[];
  readonly action: ScheduledAction;
  readonly command?: string;
  readonly onChoose: (action: ScheduledAction) => void;
}

/** The choice of the action, with the command of a task. */
export function ActionField({ actions, action, command = "", onChoose }: ActionFieldOf) {
  return (
    <>
      <ChoiceField
        name="action"
        label="Action"
        choices={actions.map((known) => [known, wordsOfAction(known)] as const)}
        defaultValue={action}
        onChoose={(value) => isAction(value) && onChoose(value)}
      />
      {action === "TASK" && (
        <TextField
          name="command"
          label="Command"
          required
          hint="For a shell, in workspaces that allow tasks."
          defaultValue={command}
        />
      )}
    </>
  );
}

/** The fields of the times at which an action is done. */
export function TimeFields({ action, schedule }: { action: ScheduledAction; schedule?: ScheduleRowFragment }) {
  return (
    <>
      <CronFields label="Times" example="30 2 * * 1-5 is 02:30 from Monday to Friday" timing={schedule} />
      {isSpreadable(action) && (
        <TextField
          name="spreadMinutes"
          label="Minutes over which the runs are spread"
          type="number"
          min={0}
          max={1440}
          defaultValue={schedule?.spreadMinutes ?? 0}
        />
      )}
      <ChoiceField
        name="misfire"
        label="Times that pass while no server is up"
        choices={MISFIRES}
        defaultValue={schedule?.misfire ?? "ONCE"}
      />
    </>
  );
}
