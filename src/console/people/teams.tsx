import {
  AddTeamMemberDocument,
  CreateTeamDocument,
  DeleteTeamDocument,
  RemoveTeamMemberDocument,
  type TeamRowFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import type { PeopleSection } from "./people-section.ts";

/** The teams of an organization with their members. */
export function Teams({ organization, onChange }: PeopleSection) {
  const { id: organizationId, teams, viewerPermissions } = organization;
  const canWrite = viewerPermissions.includes("MEMBER_WRITE");
  return (
    <section className="panel" aria-label="Teams">
      <h2>Teams</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={CreateTeamDocument}
            label="New team"
            title="New team"
            submit="Create the team"
            inputOf={(form) => ({
              organizationId,
              name: textOfField(form, "name"),
              externalIds: textOfField(form, "externalIds")
                .split(",")
                .map((id) => id.trim())
                .filter(Boolean),
            })}
            onDone={onChange}
          >
            <TextField name="name" label="Name" required />
            <TextField
              name="externalIds"
              label="Groups of the identity provider"
              hint="With commas. Their people become members when they sign in."
            />
          </FormCommand>
        </Commands>
      )}
      <ListState read={{ fetching: false }} count={teams.length} empty="There are no teams." />
      {teams.map((team) => (
        <TeamItem key={team.id} team={team} organization={organization} canWrite={canWrite} onChange={onChange} />
      ))}
    </section>
  );
}

interface TeamOf extends PeopleSection {
  readonly team: TeamRowFragment;
  readonly canWrite: boolean;
}

function TeamItem({ team, organization, canWrite, onChange }: TeamOf) {
  const name = visible(team.name);
  const ids = new Set(team.members.map(({ actor }) => actor.id));
  const others = organization.members.filter(({ actor }) => !ids.has(actor.id));
  return (
    <details open={team.members.length < 10}>
      <summary>
        <strong>{name}</strong> {team.members.length} {team.members.length === 1 ? "member" : "members"}
        {team.externalIds.length > 0 && <span className="quiet"> of {team.externalIds.map(visible).join(", ")}</span>}
      </summary>
      {team.members.length > 0 && (
        <Table label={`Members of ${name}`} heads={["Name", "Since", "Source", ...(canWrite ? ["Commands"] : [])]}>
          {team.members.map(({ actor, addedAt, source, lapsesAt }) => (
            <tr key={actor.id}>
              <td>{visible(actor.name)}</td>
              <td>
                <Ago at={addedAt} />
                {lapsesAt != null && (
                  <span className="quiet">
                    , lapses <Ago at={lapsesAt} />
                  </span>
                )}
              </td>
              <td>{wordsOf(source)}</td>
              {canWrite && (
                <td>
                  <Command
                    document={RemoveTeamMemberDocument}
                    input={{ teamId: team.id, actorId: actor.id }}
                    label="Remove"
                    question={{
                      title: `Remove ${visible(actor.name)} from ${name}`,
                      text: "It loses the rights that the team gives, and no longer counts for it at gates.",
                    }}
                    onDone={onChange}
                  />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
      {canWrite && (
        <Commands>
          {others.length > 0 && (
            <FormCommand
              document={AddTeamMemberDocument}
              label={`Add to ${name}`}
              title={`Add a member to ${name}`}
              submit="Add"
              inputOf={(form) => ({ teamId: team.id, actorId: textOfField(form, "actorId") })}
              onDone={onChange}
              ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
            >
              <ChoiceField
                name="actorId"
                label="Member of the organization"
                choices={others.map(({ actor }) => [actor.id, visible(actor.name)])}
              />
            </FormCommand>
          )}
          <Command
            document={DeleteTeamDocument}
            input={{ teamId: team.id }}
            label="Delete"
            question={{ title: `Delete the team ${name}`, text: "Its members lose the rights that it gives." }}
            onDone={onChange}
          />
        </Commands>
      )}
    </details>
  );
}
