import { DisableUserDocument, EnableUserDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import type { PeopleOf, PeopleSection } from "./people-section.ts";

/** The people and the machine users of an organization, by name. */
export function Members({ organization, onChange }: PeopleSection) {
  const { members, viewerPermissions } = organization;
  const canWrite = viewerPermissions.includes("MEMBER_WRITE");
  return (
    <section className="panel" aria-label="Members">
      <h2>Members</h2>
      <ListState read={{ fetching: false }} count={members.length} empty="There are no members." />
      {members.length > 0 && (
        <Table label="Members" heads={["Name", "State", "Last request", ...(canWrite ? ["Commands"] : [])]}>
          {members.map((member) => (
            <tr key={member.actor.id}>
              <td>
                <strong>{visible(member.actor.name)}</strong>{" "}
                <span className="quiet">
                  {member.actor.__typename === "MachineUser" ? "machine" : visible(member.email ?? "")}
                </span>
              </td>
              <td>
                <MemberState member={member} />
              </td>
              <td>{member.lastSeenAt == null ? "never" : <Ago at={member.lastSeenAt} />}</td>
              {canWrite && (
                <td>
                  <MemberCommand member={member} onChange={onChange} />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

type Member = PeopleOf["members"][number];

function MemberState({ member: { disabledAt, invitedBy } }: { member: Member }) {
  if (disabledAt != null) {
    return (
      <Mark tone="quiet">
        disabled <Ago at={disabledAt} />
      </Mark>
    );
  }
  return (
    <>
      <Mark tone="good">enabled</Mark>
      {invitedBy != null && <span className="quiet">, invited by {visible(invitedBy.name)}</span>}
    </>
  );
}

function MemberCommand({ member: { actor, disabledAt }, onChange }: { member: Member; onChange: () => void }) {
  const input = { userId: actor.id };
  if (disabledAt != null) {
    return <Command key="enable" document={EnableUserDocument} input={input} label="Enable" onDone={onChange} />;
  }
  return (
    <Command
      key="disable"
      document={DisableUserDocument}
      input={input}
      label="Disable"
      question={{
        title: `Disable ${visible(actor.name)}`,
        text: "Its tokens and sessions are refused from now on, in every organization. Its grants stay.",
      }}
      onDone={onChange}
    />
  );
}
