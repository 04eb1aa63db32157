import {
  DeleteScheduleDocument,
  RunScheduleNowDocument,
  type ScheduleRowFragment,
  UpdateScheduleDocument,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { SwitchCommand } from "../parts/switch-command.tsx";
import { visible } from "../parts/visible.ts";
import { readSettings } from "./read-schedule.ts";

const ChangedScheduleFields = lazyPart(() => import("./changed-schedule-fields.tsx"), "ChangedScheduleFields");

interface ScheduleCommandsOf {
  readonly schedule: ScheduleRowFragment;
  readonly onChange: () => void;
}

/** The commands about one schedule. */
export function ScheduleCommands({ schedule, onChange }: ScheduleCommandsOf) {
  const { id: scheduleId, enabled, action } = schedule;
  const name = visible(schedule.name);
  return (
    <Commands>
      <Command
        document={RunScheduleNowDocument}
        input={{ scheduleId }}
        label="Run now"
        question={{
          title: `Run the schedule ${name} now`,
          text: "Its runs are made at once, under your rights, and stop at their gates. Its next time stays.",
          gives: action !== "DESTROY",
        }}
        onDone={onChange}
      />
      <FormCommand
        document={UpdateScheduleDocument}
        label="Change"
        title={`Change the schedule ${name}`}
        submit="Change the schedule"
        inputOf={(form) => ({ scheduleId, ...readSettings(form, schedule) })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>From then on its runs are made under your rights.</p>
        <ChangedScheduleFields schedule={schedule} />
      </FormCommand>
      <SwitchCommand
        document={UpdateScheduleDocument}
        enabled={enabled}
        inputOf={(on) => ({ scheduleId, enabled: on })}
        what={`the schedule ${name}`}
        text="It makes no runs until it is switched on."
        onDone={onChange}
      />
      <Command
        document={DeleteScheduleDocument}
        input={{ scheduleId }}
        label="Delete"
        question={{ title: `Delete the schedule ${name}`, text: "It makes no more runs. Those that are there stay." }}
        onDone={onChange}
      />
    </Commands>
  );
}
