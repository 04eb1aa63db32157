import { CreateGrantDocument, type GrantRowFragment, RevokeGrantDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { endOfDay, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { WorkspaceChoice } from "../parts/workspace-choice.tsx";
import { principalOf } from "./grant-text.ts";
import type { PeopleSection } from "./people-section.ts";

interface GrantsOf extends PeopleSection {
  readonly slug: string;
  readonly grants: readonly GrantRowFragment[];
  /** Whether there are more than are shown. */
  readonly isCut: boolean;
}

/** The roles that people, teams and runs have in an organization, and in what part of it. */
export function Grants({ organization, slug, grants, isCut, onChange }: GrantsOf) {
  const canWrite = organization.viewerPermissions.includes("GRANT_WRITE");
  return (
    <section className="panel" aria-label="Grants">
      <h2>Grants</h2>
      {canWrite && <GiveGrant organization={organization} slug={slug} onChange={onChange} />}
      <ListState
        read={{ fetching: false }}
        count={grants.length}
        empty="No grant begins in this organization. Those of the installation hold here as well."
      />
      {grants.length > 0 && (
        <Table label="Grants" heads={["For", "Role", "Place", "Given", "Ends", ...(canWrite ? ["Commands"] : [])]}>
          {grants.map((grant) => (
            <GrantItem key={grant.id} grant={grant} canWrite={canWrite} onChange={onChange} />
          ))}
        </Table>
      )}
      {isCut && <p className="quiet">Only the newest 100 grants are shown.</p>}
    </section>
  );
}

interface GrantOf {
  readonly grant: GrantRowFragment;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

function GrantItem({ grant, canWrite, onChange }: GrantOf) {
  const { id, role, grantedBy, createdAt, expiresAt, reason } = grant;
  const [principal, place] = [principalOf(grant), placeOf(grant)];
  return (
    <tr>
      <td>
        <strong>{principal}</strong>
      </td>
      <td>{visible(role.name)}</td>
      <td>{place}</td>
      <td>
        <Ago at={createdAt} /> by {visible(grantedBy.name)}
        {reason != null && <span className="quiet"> {visible(reason)}</span>}
      </td>
      <td>{expiresAt == null ? "never" : <Ago at={expiresAt} />}</td>
      {canWrite && (
        <td>
          <Command
            document={RevokeGrantDocument}
            input={{ grantId: id }}
            label="Take"
            question={{
              title: `Take ${visible(role.name)} from ${principal}`,
              text: `${principal} loses the role in ${place} at once.`,
            }}
            onDone={onChange}
          />
        </td>
      )}
    </tr>
  );
}

/** Names the narrowest place of a grant. */
function placeOf({ workspace, project, organization }: GrantRowFragment): string {
  if (workspace != null) return `workspace ${workspace.name}`;
  if (project != null) return `project ${visible(project.path)}`;
  return organization == null ? "the installation" : visible(organization.name);
}

function GiveGrant({ organization, slug, onChange }: PeopleSection & { slug: string }) {
  const { id, name, members, teams, roles, projects } = organization;
  const people = members.map(({ actor }) => [actor.id, visible(actor.name)] as const);
  return (
    <Commands>
      <FormCommand
        document={CreateGrantDocument}
        label="Give a role"
        title={`Give a role in ${visible(name)}`}
        submit="Give the role"
        inputOf={(form) => ({
          principalId: textOfField(form, "principalId"),
          roleId: textOfField(form, "roleId"),
          scopeId: textOfField(form, "scopeId"),
          reason: textOfField(form, "reason") || null,
          expiresAt: endOfDay(textOfField(form, "expiresAt")),
        })}
        onDone={onChange}
      >
        <ChoiceField
          name="principalId"
          label="For"
          choices={[...people, ...teams.map((team) => [team.id, `team ${visible(team.name)}`] as const)]}
        />
        <ChoiceField name="roleId" label="Role" choices={roles.map((role) => [role.id, visible(role.name)] as const)} />
        <WorkspaceChoice
          organization={slug}
          name="scopeId"
          label="Place"
          others={[
            [id, `all of ${visible(name)}`],
            ...projects.map((project) => [project.id, `project ${visible(project.path)}`] as const),
          ]}
        />
        <TextField name="reason" label="Reason" />
        <TextField name="expiresAt" label="Last day" type="date" hint="It has no end, if you leave it empty." />
      </FormCommand>
    </Commands>
  );
}
