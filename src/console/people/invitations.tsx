import { InviteMemberDocument, RevokeInvitationDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { checkedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import type { PeopleSection } from "./people-section.ts";

/** The invitations that can still be accepted. */
export function Invitations({ organization, onChange }: PeopleSection) {
  const { invitations, viewerPermissions } = organization;
  const canWrite = viewerPermissions.includes("MEMBER_WRITE");
  return (
    <section className="panel" aria-label="Invitations">
      <h2>Invitations</h2>
      {canWrite && <Invite organization={organization} onChange={onChange} />}
      <ListState read={{ fetching: false }} count={invitations.length} empty="No invitation is open." />
      {invitations.length > 0 && (
        <Table label="Invitations" heads={["For", "By", "Teams", "Ends", ...(canWrite ? ["Commands"] : [])]}>
          {invitations.map(({ id, actor, email, invitedBy, createdAt, expiresAt, teams }) => (
            <tr key={id}>
              <td>
                <strong>{visible(actor.name)}</strong> <span className="quiet">{visible(email ?? "")}</span>
              </td>
              <td>
                {visible(invitedBy.name)}{" "}
                <span className="quiet">
                  <Ago at={createdAt} />
                </span>
              </td>
              <td>{teams.map(({ name }) => visible(name)).join(", ")}</td>
              <td>
                <Ago at={expiresAt} />
              </td>
              {canWrite && (
                <td>
                  <Command
                    document={RevokeInvitationDocument}
                    input={{ invitationId: id }}
                    label="Take back"
                    question={{
                      title: `Take back the invitation of ${visible(actor.name)}`,
                      text: "Its link leads nowhere from now on.",
                    }}
                    onDone={onChange}
                  />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Invite({ organization, onChange }: PeopleSection) {
  const { id: organizationId, name, teams } = organization;
  return (
    <Commands>
      <FormCommand
        document={InviteMemberDocument}
        label="Invite a person"
        title={`Invite a person to ${visible(name)}`}
        submit="Invite"
        inputOf={(form) => ({
          organizationId,
          name: textOfField(form, "name"),
          email: textOfField(form, "email") || null,
          teamIds: checkedOf(form, "teamIds"),
        })}
        secretOf={({ link }) => ({ name: "The link for the person", secret: link })}
        onDone={onChange}
      >
        <TextField name="name" label="Name" required />
        <TextField name="email" label="E-mail address" type="email" />
        {teams.length > 0 && (
          <BoxesField name="teamIds" label="Teams" choices={teams.map((team) => [team.id, visible(team.name)])} />
        )}
      </FormCommand>
    </Commands>
  );
}
