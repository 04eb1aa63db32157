import { useParams } from "@tanstack/react-router";
import { ChangesetDocument, ChangesetLiveDocument, type ChangesetQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Counts } from "../parts/counts.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { shortDigest } from "../parts/short-digest.ts";
import { Ago } from "../parts/time.tsx";
import { useReread } from "../parts/use-reread.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { RunTable } from "../runs/run-table.tsx";
import { ChangesetLink } from "./changeset-link.tsx";
import { ChangesetCommands } from "./changeset-commands.tsx";
import { ChangesetState, workspacesOf } from "./changeset-state.tsx";
import { planOf } from "./plan-counts.ts";

type ShownChangeset = NonNullable<ChangesetQuery["changeset"]>;

/** A changeset: where it is, its waves and runs, and the decisions about all of it. */
export function ChangesetPage() {
  return <OrganizationPage title="Changeset">{({ slug }) => <ChangesetView organization={slug} />}</OrganizationPage>;
}

function ChangesetView({ organization }: { organization: string }) {
  const { changeset: id } = useParams({ from: "/shell/o/$organization/changesets/$changeset" });
  const [read, onChange] = useDocument(ChangesetDocument, { id });
  const reread = useReread(onChange);
  useStream(ChangesetLiveDocument, { changesetId: id }, { onItem: reread });
  const changeset = read.data?.changeset;
  if (changeset == null) {
    return <ListState read={read} count={0} empty="There is no such changeset that you may see." />;
  }
  // In the order in which they begin: the API lists the newest run first.
  const runs = changeset.runs.edges.map(({ node }) => node).toReversed();
  return (
    <>
      <ChangesetFacts changeset={changeset} organization={organization} />
      <ChangesetCommands changeset={changeset} runs={runs} onChange={onChange} />
      <Waves waves={changeset.waves} />
      <section className="panel" aria-label="Runs">
        <h2>Runs</h2>
        <ListState read={read} count={runs.length} empty="Its runs are being created." />
        {runs.length > 0 && <RunTable runs={runs} label="Runs of the changeset" />}
        {changeset.runs.pageInfo.hasNextPage && <p className="quiet">Only the newest 100 runs are shown.</p>}
      </section>
      <Promotions promotions={changeset.promotions} organization={organization} />
    </>
  );
}

function ChangesetFacts({ changeset, organization }: { changeset: ShownChangeset; organization: string }) {
  const { title, kind, source, commit, createdAt, createdBy, appliedAt, supersededBy } = changeset;
  return (
    <Facts>
      <Fact name="Title">
        <strong>{visible(title)}</strong>
      </Fact>
      <Fact name="State">
        <ChangesetState changeset={changeset} />
        {supersededBy != null && (
          <>
            {" "}
            by <ChangesetLink organization={organization} changeset={supersededBy} />
          </>
        )}
      </Fact>
      <Fact name="Changes">{changeset.planDigest == null ? "no plan yet" : <Counts plan={planOf(changeset)} />}</Fact>
      <Fact name="Workspaces">{workspacesOf(changeset)}</Fact>
      <Fact name="Kind">{wordsOf(kind)}</Fact>
      {commit != null && (
        <Fact name="Commit">
          <code>{shortDigest(commit)}</code>
        </Fact>
      )}
      <Fact name="Made">
        <Ago at={createdAt} /> by {visible(createdBy.name)}, {wordsOf(source)}
      </Fact>
      {appliedAt != null && (
        <Fact name="Applied">
          <Ago at={appliedAt} />
        </Fact>
      )}
    </Facts>
  );
}

/** The waves in their order; nothing where all runs may start at once. */
function Waves({ waves }: { waves: ShownChangeset["waves"] }) {
  if (waves.length < 2) return null;
  return (
    <section className="panel" aria-label="Waves">
      <h2>Waves</h2>
      <ol>
        {waves.map(({ index, total, ended, failed }) => (
          <li key={index}>
            {ended} of {total} ended{failed > 0 && <span className="problem">, {failed} failed</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Promotions({ promotions, organization }: { promotions: ShownChangeset["promotions"]; organization: string }) {
  if (promotions.length === 0) return null;
  return (
    <section className="panel" aria-label="Promotions">
      <h2>Promotions</h2>
      <ul>
        {promotions.map(({ stage, state, dueAt, problem, changeset }) => (
          <li key={stage}>
            {visible(stage)}: {wordsOf(state)}
            {dueAt != null && (
              <>
                , due <Ago at={dueAt} />
              </>
            )}
            {problem != null && <span className="problem"> {visible(problem)}</span>}{" "}
            {changeset != null && <ChangesetLink organization={organization} changeset={changeset} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
