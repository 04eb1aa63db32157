import { Link, useSearch } from "@tanstack/react-router";
import { PoliciesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { EvaluationCounts } from "./evaluation-counts.tsx";
import { OpenExceptions } from "./exceptions.tsx";
import { useTick } from "../parts/use-tick.ts";
import { selectorOf } from "./selector.ts";

/** The policy sets of an organization, oldest first. */
export function PoliciesPage() {
  return <OrganizationPage title="Policies">{({ slug }) => <PoliciesView organization={slug} />}</OrganizationPage>;
}

function PoliciesView({ organization }: { organization: string }) {
  const { after } = useSearch({ from: "/shell/o/$organization/policies" });
  const [read, reload] = useDocument(PoliciesDocument, { organization, after: after ?? null });
  useTick(reload);
  const found = read.data?.organization;
  const sets = found?.policySets.edges.map(({ node }) => node) ?? [];
  const mayRead = found?.viewerPermissions.includes("POLICY_READ") === true;
  const page = found?.policySets.pageInfo;
  return (
    <>
      <div className="panel">
        <ListState
          read={read}
          count={sets.length}
          empty={
            mayRead ? "There is no policy set yet." : "Policies are shown to those with the permission policy read."
          }
        />
        {sets.length > 0 && (
          <Table label="Policy sets" heads={["Set", "State", "Version", "Results", "Judges"]}>
            {sets.map((set) => (
              <tr key={set.id}>
                <td>
                  <Link to="/o/$organization/policies/$set" params={{ organization, set: set.id }}>
                    {visible(set.name)}
                  </Link>{" "}
                  <span className="quiet">{set.language}</span>
                  {set.description != null && <div className="quiet">{visible(set.description)}</div>}
                </td>
                <td>{set.enabled ? <Mark tone="good">on</Mark> : <Mark tone="quiet">off</Mark>}</td>
                <td>
                  {set.activeVersion == null ? "none is active" : `v${set.activeVersion.number}`}
                  {set.shadowVersion != null && <span className="quiet"> v{set.shadowVersion.number} in shadow</span>}
                </td>
                <td>{set.activeVersion != null && <EvaluationCounts counts={set.activeVersion.evaluationCounts} />}</td>
                <td>
                  {selectorOf(set)}
                  {set.onError !== "FAIL_CLOSED" && <span className="quiet"> on errors: {wordsOf(set.onError)}</span>}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      {mayRead && <OpenExceptions organization={organization} />}
      {page?.hasNextPage === true && page.endCursor != null && (
        <Link to="/o/$organization/policies" params={{ organization }} search={{ after: page.endCursor }}>
          More policy sets
        </Link>
      )}
    </>
  );
}
