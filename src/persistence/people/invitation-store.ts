import type { Invitation } from "../../model/people/invitation.ts";
import { toActor } from "./actor-store.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";

/**
 * Invitations that were neither accepted nor revoked, to people and by people who are not disabled: a person who had to
 * leave must not come back by a link that was kept.
 */
function open(reader: Reader) {
  return reader.sql
    .selectFrom("invitation")
    .innerJoin("actor", "actor.id", "invitation.actor_id")
    .select(["invitation.id", "invitation.organization_id", "team_ids", "invitation.invited_by"])
    .select(["invitation.created_at", "expires_at", "actor.id as actor_id", "actor.kind", "actor.name", "actor.email"])
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("actor.disabled_at", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("actor as inviter")
            .select("inviter.id")
            .whereRef("inviter.id", "=", "invitation.invited_by")
            .where("inviter.disabled_at", "is not", null),
        ),
      ),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof open>["execute"]>>[number];

function toInvitation(row: Row): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    actor: toActor({ id: row.actor_id, kind: row.kind, name: row.name }),
    email: row.email,
    teamIds: row.team_ids,
    invitedById: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Adds an invitation and its person. `codeHash`: SHA-256 of the code. */
export async function insertInvitation(tx: Transaction, invitation: Invitation, codeHash: Buffer): Promise<void> {
  const { id, organizationId, actor, email, teamIds, invitedById, createdAt, expiresAt } = invitation;
  await tx.sql
    .insertInto("actor")
    .values({ ...actor, email, created_at: createdAt, invited_by: invitedById })
    .execute();
  await tx.sql
    .insertInto("invitation")
    .values({
      id,
      organization_id: organizationId,
      code_hash: codeHash,
      actor_id: actor.id,
      team_ids: [...teamIds],
      invited_by: invitedById,
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute();
}

/** The invitation with a code that can be accepted at an instant. `codeHash`: SHA-256 of the code. */
export async function findInvitationByCode(reader: Reader, codeHash: Buffer, at: string): Promise<Invitation | null> {
  const row = await open(reader).where("code_hash", "=", codeHash).where("expires_at", ">", at).executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

/** An invitation that is open; its row stays locked. */
export async function lockInvitation(tx: Transaction, id: string): Promise<Invitation | null> {
  const row = await open(tx).where("invitation.id", "=", id).forUpdate("invitation").executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

export async function markInvitationAccepted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("invitation").set({ accepted_at: at }).where("id", "=", id).execute();
}

export async function markInvitationRevoked(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("invitation").set({ revoked_at: at }).where("id", "=", id).execute();
}

/** The invitations of organizations that can be accepted at an instant, oldest first. */
export async function listInvitations(
  reader: Reader,
  organizationIds: readonly string[],
  at: string,
): Promise<Invitation[][]> {
  const rows = await open(reader)
    .where("invitation.organization_id", "in", organizationIds)
    .where("expires_at", ">", at)
    .orderBy("invitation.id")
    .execute();
  return grouped(organizationIds, rows.map(toInvitation), (invitation) => invitation.organizationId);
}
