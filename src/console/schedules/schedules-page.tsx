import { Link, useSearch } from "@tanstack/react-router";
import { SchedulesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { NewSchedule } from "./new-schedule.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

/** The schedules of an organization and of its workspaces. */
export function SchedulesPage() {
  return (
    <OrganizationPage title="Schedules">
      {({ id, slug }) => <SchedulesView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function SchedulesView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { after } = useSearch({ from: "/shell/o/$organization/schedules" });
  const [read, onChange] = useDocument(SchedulesDocument, { organization, after: after ?? null });
  // A due time is no event of the API.
  useTick(onChange);
  const found = read.data?.organization;
  const schedules = found?.schedules.edges.map(({ node }) => node) ?? [];
  const permissions = found?.viewerPermissions ?? [];
  const page = found?.schedules.pageInfo;
  return (
    <>
      <NewSchedule {...{ organizationId, organization, permissions }} onDone={onChange} />
      <div className="panel">
        <ListState read={read} count={schedules.length} empty="There is no schedule yet." />
        {schedules.length > 0 && (
          <ScheduleTable label="Schedules" {...{ schedules, organization, permissions, onChange }} />
        )}
      </div>
      {page?.hasNextPage === true && page.endCursor != null && (
        <Link to="/o/$organization/schedules" params={{ organization }} search={{ after: page.endCursor }}>
          Later schedules
        </Link>
      )}
    </>
  );
}
