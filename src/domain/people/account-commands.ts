/** Commands about people and machine users. */
import { idKind } from "../../model/kit/id.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import { type Actor, ADMIN_ACTOR_ID } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { builtInRoleId } from "../../model/people/role.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findActors, insertServiceAccount, setActorDisabled } from "../../persistence/people/actor-store.ts";
import { revokeSessions } from "../../persistence/people/session-store.ts";
import { listTokenIds } from "../../persistence/people/token-store.ts";
import { listGrantsOfPrincipals } from "../../persistence/people/grant-store.ts";
import { listTeamsOfActors } from "../../persistence/people/team-store.ts";
import { command, ON_INSTALLATION } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireAdministrator } from "../access/attenuation.ts";
import { onOrganization } from "./people-command.ts";

export interface CreateServiceAccountInput {
  organizationId: string;
  name: string;
}

/** Creates a machine user of an organization. It has no rights until it is granted some. */
export function createServiceAccount(
  deps: Deps,
  caller: ActorCaller,
  { organizationId, name }: CreateServiceAccountInput,
): Promise<Actor> {
  const spec = {
    ...onOrganization(organizationId),
    name: "createServiceAccount",
    presence: "ALWAYS",
    permission: "MEMBER_WRITE",
    words: "creating service accounts",
    check: (check: InputCheck) => check.label("name", name),
  } as const;
  return command(deps, caller, spec, async (tx) => {
    const account = { id: deps.newId("machineUser"), kind: "MACHINE", name } as const;
    await insertServiceAccount(tx, account, organizationId, deps.clock().toISOString());
    return account;
  });
}

/** Disables a person or a machine user: all of its credentials are refused from the next request on. Sessions end. */
export function disableUser(deps: Deps, caller: ActorCaller, input: { userId: string }): Promise<Actor> {
  return setDisabled(deps, caller, { name: "disableUser", words: "disabling people", userId: input.userId }, true);
}

/** Enables a person or a machine user again, with the grants that it has. */
export function enableUser(deps: Deps, caller: ActorCaller, input: { userId: string }): Promise<Actor> {
  return setDisabled(deps, caller, { name: "enableUser", words: "enabling people", userId: input.userId }, false);
}

function setDisabled(
  deps: Deps,
  caller: ActorCaller,
  { userId, ...names }: { name: string; words: string; userId: string },
  disabled: boolean,
): Promise<Actor> {
  const spec = {
    ...ON_INSTALLATION,
    ...names,
    presence: "ALWAYS",
    subjectId: userId,
    permission: "MEMBER_WRITE",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    const actor = await getActor(tx, userId);
    if (disabled && userId === ADMIN_ACTOR_ID) {
      throw new UserError("FORBIDDEN", "The first administrator of the installation cannot be disabled.");
    }
    const at = deps.clock().toISOString();
    await setActorDisabled(tx, userId, disabled ? at : null);
    // Ends the connections that were opened with them.
    const sessionIds = disabled ? await revokeSessions(tx, { actorId: userId }, at) : [];
    const credentials = [...(await listTokenIds(tx, userId)), ...sessionIds];
    for (const id of credentials) tx.announce(`token:${id}`);
    if (disabled) await requireAdministrators(tx, userId, at);
    return actor;
  });
}

async function getActor(tx: Transaction, id: string): Promise<Actor> {
  const kind = idKind(id);
  const [actor = null] = kind === "user" || kind === "machineUser" ? await findActors(tx, [id]) : [];
  if (actor === null) throw notFound("user");
  return actor;
}

/** Requires another administrator for each organization in which a person had the role ADMIN, itself or by a team. */
async function requireAdministrators(tx: Transaction, userId: string, at: string): Promise<void> {
  const [teams = []] = await listTeamsOfActors(tx, [userId], at);
  const grants = await listGrantsOfPrincipals(tx, [userId, ...teams.map(({ id }) => id)], at);
  const administered = grants
    .flat()
    .filter(({ roleId, scopeId, organizationId }) => roleId === builtInRoleId("ADMIN") && scopeId === organizationId)
    .map(({ organizationId }) => organizationId);
  for (const organizationId of new Set(administered)) await requireAdministrator(tx, organizationId);
}
