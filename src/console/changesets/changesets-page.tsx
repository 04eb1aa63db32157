import { Link, useSearch } from "@tanstack/react-router";
import { ChangesetsDocument, OrganizationRunsDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Counts } from "../parts/counts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { useReread } from "../parts/use-reread.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { ChangesetLink } from "./changeset-link.tsx";
import { ChangesetState, workspacesOf } from "./changeset-state.tsx";
import { planOf } from "./plan-counts.ts";

/** The changesets of an organization, newest first. */
export function ChangesetsPage() {
  return (
    <OrganizationPage title="Changesets">
      {({ id, slug }) => <ChangesetsView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function ChangesetsView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { after } = useSearch({ from: "/shell/o/$organization/changesets" });
  const [read, reload] = useDocument(ChangesetsDocument, { organization, after: after ?? null });
  const reread = useReread(reload);
  useStream(OrganizationRunsDocument, { organizationId }, { onItem: reread });
  const changesets = read.data?.organization?.changesets.edges.map(({ node }) => node) ?? [];
  const page = read.data?.organization?.changesets.pageInfo;
  return (
    <>
      <div className="panel">
        <ListState read={read} count={changesets.length} empty="There is no changeset yet." />
        {changesets.length > 0 && (
          <Table label="Changesets" heads={["Changeset", "State", "Changes", "Workspaces", "By"]}>
            {changesets.map((changeset) => (
              <tr key={changeset.id}>
                <td>
                  <ChangesetLink organization={organization} changeset={changeset} isStop />
                </td>
                <td>
                  <ChangesetState changeset={changeset} />
                </td>
                <td>
                  <Counts plan={planOf(changeset)} />
                </td>
                <td>{workspacesOf(changeset)}</td>
                <td>
                  {visible(changeset.createdBy.name)}{" "}
                  <span className="quiet">
                    {wordsOf(changeset.source)}, <Ago at={changeset.createdAt} />
                  </span>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      {page?.hasNextPage === true && page.endCursor != null && (
        <Link to="/o/$organization/changesets" params={{ organization }} search={{ after: page.endCursor }}>
          Older changesets
        </Link>
      )}
    </>
  );
}
