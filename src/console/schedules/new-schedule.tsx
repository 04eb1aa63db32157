import { CreateScheduleDocument, type Permission } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { readSchedule } from "./read-schedule.ts";
import { allowedActions } from "./scheduled-actions.ts";

const NewScheduleFields = lazyPart(() => import("./new-schedule-fields.tsx"), "NewScheduleFields");

interface NewScheduleOf {
  readonly organizationId: string;
  readonly organization: string;
  /** The permissions of the person in the workspace, or else in the organization. */
  readonly permissions: readonly Permission[];
  /** The workspace on whose page it is made. */
  readonly workspace?: { readonly id: string; readonly name: string };
  readonly onDone: () => void;
}

/** Creates a schedule; nothing for a person who may schedule no action. */
export function NewSchedule({ organizationId, organization, permissions, workspace, onDone }: NewScheduleOf) {
  if (allowedActions(permissions).length === 0) return null;
  return (
    <Commands>
      <FormCommand
        document={CreateScheduleDocument}
        label="New schedule"
        title={workspace === undefined ? "New schedule" : `New schedule of ${workspace.name}`}
        submit="Create the schedule"
        inputOf={(form) => ({ organizationId, ...readSchedule(form, workspace?.id ?? null) })}
        onDone={onDone}
      >
        <NewScheduleFields {...{ organization, permissions }} isOfWorkspace={workspace !== undefined} />
      </FormCommand>
    </Commands>
  );
}
