import { WorkspaceSchedulesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { NewSchedule } from "./new-schedule.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

interface WorkspaceSchedulesOf {
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly organization: { readonly id: string; readonly slug: string };
  };
}

/** The schedules that name a workspace, and the commands about them. */
export function WorkspaceSchedules({ workspace }: WorkspaceSchedulesOf) {
  const { id, name, organization } = workspace;
  const [read, onChange] = useDocument(WorkspaceSchedulesDocument, { id });
  useTick(onChange);
  const { schedules = [], viewerPermissions: permissions = [] } = read.data?.workspace ?? {};
  const list = { schedules, organization: organization.slug, permissions, onChange };
  return (
    <section className="panel" aria-label="Schedules">
      <h2>Schedules</h2>
      <NewSchedule
        organizationId={organization.id}
        organization={organization.slug}
        permissions={permissions}
        workspace={{ id, name }}
        onDone={onChange}
      />
      <ListState read={read} count={schedules.length} empty="No schedule names this workspace alone." />
      {schedules.length > 0 && <ScheduleTable label={`Schedules of ${name}`} {...list} />}
    </section>
  );
}
