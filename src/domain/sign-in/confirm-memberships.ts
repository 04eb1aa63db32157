import { LIMITS } from "../../model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  endAdministration,
  findAdministration,
  putAdministration,
} from "../../persistence/people/administration-store.ts";
import {
  confirmMemberships,
  listConfirmedMemberships,
  listTeamIdsOfGroups,
  removeConfirmedMemberships,
} from "../../persistence/people/identity-store.ts";
import type { Deps } from "../kit/deps.ts";

/** A membership is confirmed again once a day at most: every change of one makes all servers compile rights again. */
const CONFIRM_EVERY_MS = 24 * 60 * 60 * 1000;

/** The groups of a person, and the one whose people administer the installation; `null`: no group does. */
export interface ConfirmedGroups {
  groups: readonly string[];
  adminGroup: string | null;
}

/**
 * Makes a person a member of exactly the teams that name one of the groups, beside those to which it was added by hand,
 * and an administrator if the group of administrators is among them. Both lapse without another sign-in. Gives whether
 * the person lost something.
 */
export async function confirmGroups(
  tx: Transaction,
  { newId }: Pick<Deps, "newId">,
  actorId: string,
  { groups, adminGroup }: ConfirmedGroups,
  at: Date,
): Promise<boolean> {
  const now = at.toISOString();
  const lapsesAt = new Date(at.getTime() + LIMITS.membershipMs).toISOString();
  const isOld = (until: string | null): boolean =>
    until === null || Date.parse(until) < at.getTime() + LIMITS.membershipMs - CONFIRM_EVERY_MS;

  const wanted = groups.length === 0 ? [] : await listTeamIdsOfGroups(tx, groups);
  const known = new Map((await listConfirmedMemberships(tx, actorId)).map((one) => [one.teamId, one.lapsesAt]));
  const due = wanted.filter((teamId) => !known.has(teamId) || isOld(known.get(teamId) ?? null));
  const lost = [...known.keys()].filter((teamId) => !wanted.includes(teamId));
  if (due.length > 0) await confirmMemberships(tx, actorId, due, { at: now, lapsesAt });
  if (lost.length > 0) await removeConfirmedMemberships(tx, actorId, lost);

  const administration = await findAdministration(tx, actorId);
  const isAdministrator = adminGroup !== null && groups.includes(adminGroup);
  if (isAdministrator && (administration === null || isOld(administration.expiresAt))) {
    const grant = { id: newId("grant"), actorId, grantedById: SYSTEM_ACTOR_ID, at: now, expiresAt: lapsesAt };
    await putAdministration(tx, { ...grant, reason: `Group ${adminGroup} of the identity provider` });
  }
  const ended = !isAdministrator && administration !== null;
  if (ended) await endAdministration(tx, actorId, { at: now, byId: SYSTEM_ACTOR_ID });
  return lost.length > 0 || ended;
}
