/** A caller whose rights come from many grants; the administrator of the data set has them from one. */
import { Client, type PoolConfig } from "pg";
import { hashSecret } from "../../src/domain/token/secret.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { defaultProjectId } from "../../src/model/people/project-tree.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { FIRST_RUN_AT_MS, idOf, workspaceId } from "../dataset/ids.ts";

const PROJECTS = 25;
const WORKSPACES = 25;
/** The grants of the caller, on projects and workspaces. */
export const GRANTS = PROJECTS + WORKSPACES;

const ORGANIZATION = DEFAULT_ORGANIZATION_ID;
/** All workspaces of the small data set are in it, so the caller sees what an administrator sees. */
const PARENT = defaultProjectId(ORGANIZATION);
const AT = new Date(FIRST_RUN_AT_MS).toISOString();

/** Inserts the caller, its grants and its token into a database with the small data set. */
export async function insertGrantedCaller(connection: PoolConfig, secret: string): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    await insertCaller(client, secret);
  } finally {
    await client.end();
  }
}

async function insertCaller(client: Client, secret: string): Promise<void> {
  const actorId = idOf("user", FIRST_RUN_AT_MS, "granted");
  await client.query("insert into actor (id, kind, name, created_at) values ($1, 'USER', 'granted', $2)", [
    actorId,
    AT,
  ]);
  await client.query(
    "insert into token (id, name, actor_id, secret_hash, created_at, last_used_at) values ($1, 'granted', $2, $3, $4, now())",
    [idOf("token", FIRST_RUN_AT_MS, "granted"), actorId, hashSecret(secret), AT],
  );
  const projectIds = Array.from({ length: PROJECTS - 1 }, (_, index) =>
    idOf("project", FIRST_RUN_AT_MS, `prj${index}`),
  );
  await client.query(
    `insert into project (id, organization_id, parent_id, name, path, created_at)
      select id, $2, $3, id, array[$3, id], $4 from unnest($1::text[]) id`,
    [projectIds, ORGANIZATION, PARENT, AT],
  );
  const workspaceIds = Array.from({ length: WORKSPACES }, (_, number) => workspaceId(number));
  const scopeIds = [PARENT, ...projectIds, ...workspaceIds];
  const grantIds = scopeIds.map((scopeId) => idOf("grant", FIRST_RUN_AT_MS, scopeId));
  await client.query(
    `insert into access_grant (id, organization_id, principal_id, role_id, scope_id, granted_by, created_at)
      select id, $3, $4, $5, scope_id, $6, $7 from unnest($1::text[], $2::text[]) as granted (id, scope_id)`,
    [grantIds, scopeIds, ORGANIZATION, actorId, builtInRoleId("READER"), ADMIN_ACTOR_ID, AT],
  );
}
