/** Commands about invitations. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { type Invitation, INVITATION_PREFIX } from "../../model/people/invitation.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  insertInvitation,
  listInvitations,
  lockInvitation,
  markInvitationRevoked,
} from "../../persistence/people/invitation-store.ts";
import { lockTeam } from "../../persistence/people/team-store.ts";
import { requireGrantsOf } from "../access/attenuation.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { hashSecret } from "../token/secret.ts";
import { onOrganization } from "./people-command.ts";

export interface InviteMemberInput {
  organizationId: string;
  name: string;
  /** Shown to administrators; no message is sent. */
  email: string | null;
  teamIds: readonly string[];
  /** `null`: after seven days. */
  expiresAt: string | null;
}

const CODE_BYTES = 32;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
const EMAIL_LENGTH = 254;

/**
 * Invites a new person by a link, which is returned only here. The person makes a passkey with it and becomes a member
 * of the teams. The caller must have itself what the teams were granted.
 */
export function inviteMember(
  deps: Deps,
  caller: ActorCaller,
  input: InviteMemberInput,
): Promise<{ invitation: Invitation; url: string }> {
  const { organizationId, name, email } = input;
  const teamIds = [...new Set(input.teamIds)];
  const at = deps.clock();
  const longest = new Date(at.getTime() + LIMITS.invitationMs).toISOString();
  const expiresAt = input.expiresAt ?? longest;
  const spec = {
    ...onOrganization(organizationId),
    name: "inviteMember",
    presence: "ALWAYS",
    permission: "MEMBER_WRITE",
    words: "inviting people",
    check: (check: InputCheck) => {
      check.label("name", name);
      const isEmail = email === null || (EMAIL.test(email) && email.length <= EMAIL_LENGTH && isStorable(email));
      check.require(isEmail, "email", "must be an e-mail address, or absent.");
      check.require(teamIds.length <= LIMITS.scopesPerToken, "teamIds", `must be at most ${LIMITS.scopesPerToken}.`);
      check.require(expiresAt > at.toISOString(), "expiresAt", "must be in the future.");
      check.require(expiresAt <= longest, "expiresAt", "must be within 7 days.");
    },
  } as const;
  return command(deps, caller, spec, async (tx) => {
    if (deps.publicUrl === null) {
      throw new UserError("FORBIDDEN", "People cannot sign in here: set HOLDPOINT_PUBLIC_URL for the server first.");
    }
    const now = at.toISOString();
    const [open = []] = await listInvitations(tx, [organizationId], now);
    if (open.length >= LIMITS.invitationsOpen) {
      throw invalidField("organizationId", `has ${LIMITS.invitationsOpen} open invitations. Revoke some first.`);
    }
    for (const [index, teamId] of teamIds.entries())
      await requireTeam(tx, deps, caller, { teamId, index, organizationId });
    const code = INVITATION_PREFIX + Buffer.from(deps.randomBytes(CODE_BYTES)).toString("base64url");
    const actor = { id: deps.newId("user"), kind: "USER", name } as const;
    const facts = { id: deps.newId("invitation"), organizationId, actor, email, teamIds, createdAt: now, expiresAt };
    const invitation = { ...facts, invitedById: caller.actor.id };
    await insertInvitation(tx, invitation, hashSecret(code));
    // Behind the sign, which browsers do not send: no proxy and no log sees the code.
    return { invitation, url: `${deps.publicUrl}/invite#${code}` };
  });
}

async function requireTeam(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { teamId, index, organizationId }: { teamId: string; index: number; organizationId: string },
): Promise<void> {
  const team = idKind(teamId) === "team" ? await lockTeam(tx, teamId) : null;
  if (team?.organizationId !== organizationId) {
    throw invalidField(`teamIds.${index}`, "must be the id of a team of the organization.");
  }
  await requireGrantsOf(tx, deps, caller, teamId);
}

/** Revokes an invitation that was not accepted. */
export function revokeInvitation(deps: Deps, caller: ActorCaller, input: { invitationId: string }): Promise<string> {
  const { invitationId } = input;
  const spec = {
    name: "revokeInvitation",
    subjectId: invitationId,
    noun: "invitation",
    find: async (tx: Transaction) => (idKind(invitationId) === "invitation" ? lockInvitation(tx, invitationId) : null),
    placeOf: ({ organizationId }: Invitation) => organizationPlace({ id: organizationId }),
    sight: "MEMBER_READ",
    permission: "MEMBER_WRITE",
    words: "revoking invitations",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    await markInvitationRevoked(tx, invitationId, deps.clock().toISOString());
    return invitationId;
  });
}
