import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { OrganizationRunsDocument, WorkspacesDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Commands } from "../parts/commands.tsx";
import { Counts } from "../parts/counts.tsx";
import { textOfField } from "../parts/field.ts";
import { Status } from "../parts/status.tsx";
import { useReread } from "../parts/use-reread.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import styles from "../runs/run-table.module.css";
import { NewWorkspace } from "./new-workspace.tsx";
import { readWorkspaceSearch, STATUSES } from "./workspace-search.ts";

/** The workspaces of an organization, by name. */
export function WorkspacesPage() {
  return (
    <OrganizationPage title="Workspaces">
      {({ id, slug }) => <WorkspacesView key={id} organizationId={id} slug={slug} />}
    </OrganizationPage>
  );
}

function WorkspacesView({ organizationId, slug }: { organizationId: string; slug: string }) {
  const { search, status, after } = useSearch({ from: "/shell/o/$organization/workspaces" });
  const navigate = useNavigate({ from: "/o/$organization/workspaces" });
  const statuses = status === undefined ? null : [status];
  const variables = { organization: slug, search: search ?? null, statuses, after: after ?? null };
  const [{ data, error, fetching }, reload] = useDocument(WorkspacesDocument, variables);
  const reread = useReread(reload);
  useStream(OrganizationRunsDocument, { organizationId }, { onItem: reread });
  const organization = data?.organization;
  const workspaces = organization?.workspaces.edges.map(({ node }) => node) ?? [];
  const page = organization?.workspaces.pageInfo;
  // A right may begin in a project, and one above may end at an isolated project.
  const projects =
    organization?.projects.filter(({ viewerPermissions }) => viewerPermissions.includes("WORKSPACE_CREATE")) ?? [];
  return (
    <>
      {projects.length > 0 && (
        <Commands>
          <NewWorkspace organization={slug} projects={projects} />
        </Commands>
      )}
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const text = textOfField(event.currentTarget, "search");
            void navigate({
              search: { ...(text !== "" && { search: text }), ...(status !== undefined && { status }) },
            });
          }}
        >
          <label htmlFor="search">Name</label>
          <input id="search" name="search" type="search" defaultValue={search} key={search} />
          <label htmlFor="status">Status</label>
          <select
            id="status"
            value={status ?? ""}
            onChange={({ target }) => {
              const chosen = readWorkspaceSearch({ search, status: target.value });
              void navigate({ search: chosen });
            }}
          >
            <option value="">any</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {wordsOf(one)}
              </option>
            ))}
          </select>
        </form>
      </search>
      {error !== undefined && <p role="alert">{error.message}</p>}
      <div className="panel">
        {workspaces.length === 0 ? (
          <p>{fetching ? "Loading…" : "No workspaces."}</p>
        ) : (
          <table className={styles["runs"]} aria-label="Workspaces">
            <thead>
              <tr>
                <th>Workspace</th>
                <th>Status</th>
                <th>Latest run</th>
                <th>Drift</th>
                <th>Held</th>
              </tr>
            </thead>
            <tbody>
              {workspaces.map(({ id, name, deploymentStatus, latestRun, driftStatus, paused, lock }) => (
                <tr key={id}>
                  <td>
                    <Link
                      to="/o/$organization/w/$workspace"
                      params={{ organization: slug, workspace: name }}
                      data-stop=""
                    >
                      {name}
                    </Link>
                  </td>
                  <td>{wordsOf(deploymentStatus)}</td>
                  <td>
                    {latestRun != null && (
                      <>
                        <RunLink run={latestRun} /> <Status run={latestRun} /> <Counts plan={latestRun.plan} />
                      </>
                    )}
                  </td>
                  <td>{driftStatus === "NONE" ? "" : wordsOf(driftStatus)}</td>
                  <td>{[paused ? "paused" : null, lock == null ? null : "locked"].filter(Boolean).join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {page?.hasNextPage === true && (
        <Link
          to="/o/$organization/workspaces"
          params={{ organization: slug }}
          search={{
            ...(search !== undefined && { search }),
            ...(status !== undefined && { status }),
            ...(page.endCursor != null && { after: page.endCursor }),
          }}
        >
          More workspaces
        </Link>
      )}
    </>
  );
}
