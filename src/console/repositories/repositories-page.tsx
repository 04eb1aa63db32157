import { Link } from "@tanstack/react-router";
import { CreateRepositoryDocument, RepositoriesDocument, type RepositoriesQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { GitHosts } from "./git-hosts.tsx";
import { HookHealth, PollState } from "./hook-health.tsx";

type Shown = NonNullable<RepositoriesQuery["organization"]>;

/** The repositories whose changes start runs, and their hosts. */
export function RepositoriesPage() {
  return (
    <OrganizationPage title="Repositories">
      {({ id, slug }) => <RepositoriesView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function RepositoriesView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(RepositoriesDocument, { organization });
  // No event reports the result of a poll, so the list is read again.
  useTick(onChange);
  const { repositories = [], gitHosts = [], viewerPermissions = [] } = read.data?.organization ?? {};
  const canWrite = viewerPermissions.includes("ORGANIZATION_UPDATE");
  return (
    <>
      {canWrite && gitHosts.length > 0 && <NewRepository gitHosts={gitHosts} onDone={onChange} />}
      <div className="panel">
        <ListState read={read} count={repositories.length} empty={emptyText(canWrite, gitHosts.length)} />
        {repositories.length > 0 && (
          <Table label="Repositories" heads={["Repository", "Default branch", "Hooks", "Read"]}>
            {repositories.map((repository) => (
              <tr key={repository.id}>
                <td>
                  <Link
                    to="/o/$organization/repositories/$repository"
                    params={{ organization, repository: repository.id }}
                    data-stop=""
                  >
                    {visible(repository.name)}
                  </Link>
                  <div className="quiet">{visible(repository.url)}</div>
                </td>
                <td>{repository.defaultBranch == null ? "" : visible(repository.defaultBranch)}</td>
                <td>
                  <HookHealth health={repository.hookHealth} />
                </td>
                <td>
                  <PollState repository={repository} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      {canWrite && <GitHosts organizationId={organizationId} gitHosts={gitHosts} onChange={onChange} />}
    </>
  );
}

function emptyText(canWrite: boolean, hosts: number): string {
  if (!canWrite) return "No repository is connected, or you may not read all workspaces of the organization.";
  return hosts === 0 ? "No repository is connected. Create a git host first." : "No repository is connected.";
}

function NewRepository({ gitHosts, onDone }: { gitHosts: Shown["gitHosts"]; onDone: () => void }) {
  return (
    <Commands>
      <FormCommand
        document={CreateRepositoryDocument}
        label="Connect a repository"
        title="Connect a repository"
        submit="Connect the repository"
        inputOf={(form) => ({ gitHostId: textOfField(form, "gitHostId"), name: textOfField(form, "name") })}
        onDone={onDone}
      >
        <ChoiceField
          name="gitHostId"
          label="Git host"
          choices={gitHosts.map(({ id, name, url }) => [id, visible(`${name}: ${url}`)] as const)}
        />
        <TextField name="name" label="Path at the host" required hint="Such as acme/infrastructure." />
      </FormCommand>
    </Commands>
  );
}
