import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { OrganizationRunsDocument, RepositoryDocument, type RepositoryQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { ChangeItem } from "./change-item.tsx";
import { HookHealth, PollState } from "./hook-health.tsx";
import { Preview } from "./preview.tsx";
import { RepositoryCommands } from "./repository-commands.tsx";

type Shown = NonNullable<RepositoryQuery["repository"]>;

/** A repository: how it is read, its branches and tags that moved, and what each change started. */
export function RepositoryPage() {
  return (
    <OrganizationPage title="Repository">
      {({ id, slug }) => <RepositoryView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function RepositoryView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { repository: id } = useParams({ from: "/shell/o/$organization/repositories/$repository" });
  const { after } = useSearch({ from: "/shell/o/$organization/repositories/$repository" });
  const navigate = useNavigate();
  const [read, onChange] = useDocument(RepositoryDocument, { id, after: after ?? null });
  const reread = useReread(onChange);
  useTick(onChange);
  useStream(OrganizationRunsDocument, { organizationId }, { onItem: reread });
  const repository = read.data?.repository;
  if (repository == null) {
    return <ListState read={read} count={0} empty="There is no such repository that you may see." />;
  }
  const { edges, pageInfo } = repository.changes;
  return (
    <>
      <RepositoryFacts repository={repository} />
      <RepositoryCommands
        repository={repository}
        onChange={() => {
          onChange();
          // The decisions about new commits follow a moment later.
          reread();
        }}
        onDeleted={() => void navigate({ to: "/o/$organization/repositories", params: { organization } })}
      />
      <section className="panel" aria-label="Changes">
        <h2>Changes</h2>
        <ListState read={read} count={edges.length} empty="No branch and no tag has moved yet." />
        {edges.map(({ node }) => (
          <ChangeItem key={node.id} change={node} organization={{ id: organizationId, slug: organization }} />
        ))}
        {pageInfo.hasNextPage && pageInfo.endCursor != null && (
          <Link
            to="/o/$organization/repositories/$repository"
            params={{ organization, repository: id }}
            search={{ after: pageInfo.endCursor }}
          >
            Older changes
          </Link>
        )}
      </section>
      <Preview repository={repository} />
    </>
  );
}

function RepositoryFacts({ repository }: { repository: Shown }) {
  const { name, url, defaultBranch, hookHealth, host } = repository;
  return (
    <Facts>
      <Fact name="Path">
        <strong>{visible(name)}</strong>
      </Fact>
      <Fact name="Address">
        <code>{visible(url)}</code>
      </Fact>
      {host != null && <Fact name="Git host">{visible(host.name)}</Fact>}
      {defaultBranch != null && <Fact name="Default branch">{visible(defaultBranch)}</Fact>}
      <Fact name="Hooks">
        <HookHealth health={hookHealth} />
      </Fact>
      <Fact name="Read">
        <PollState repository={repository} />
      </Fact>
    </Facts>
  );
}
