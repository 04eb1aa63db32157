import type { Selectable } from "kysely";
import {
  GIT_HOST_CREDENTIALS,
  GIT_HOST_KINDS,
  type GitHost,
  type GitHostKind,
  type HostCredential,
} from "../../model/repository/git-host.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";
import type { Cipher } from "../installation/cipher.ts";

const COLUMNS = [
  "id",
  "organization_id",
  "kind",
  "name",
  "url",
  "credential",
  "hook_path",
  "former_hook_secret_until",
  "former_hook_secret_used_at",
  "created_by",
  "created_at",
] as const;
type Row = Pick<Selectable<Tables["git_host"]>, (typeof COLUMNS)[number]>;

function toGitHost(row: Row): GitHost {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: word(GIT_HOST_KINDS, row.kind),
    name: row.name,
    url: row.url,
    credential: word(GIT_HOST_CREDENTIALS, row.credential),
    hookPath: row.hook_path,
    formerHookSecretUntil: row.former_hook_secret_until,
    formerHookSecretUsedAt: row.former_hook_secret_used_at,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

const credentialOwner = (id: string): string => `git-host/${id}/credential`;
const secretOwner = (id: string): string => `git-host/${id}/hook-secret`;

function sealCredential(cipher: Cipher, id: string, credential: HostCredential) {
  const sealed = cipher.seal(Buffer.from(JSON.stringify(credential)), credentialOwner(id));
  return { credential: credential.type, credential_sealed: sealed };
}

/** Throws a unique violation of `git_host_name` where the organization has a host of that name. */
export async function insertGitHost(
  tx: Transaction,
  cipher: Cipher,
  host: GitHost,
  { credential, hookSecret }: { credential: HostCredential; hookSecret: string },
): Promise<void> {
  await tx.sql
    .insertInto("git_host")
    .values({
      id: host.id,
      organization_id: host.organizationId,
      kind: host.kind,
      name: host.name,
      url: host.url,
      ...sealCredential(cipher, host.id, credential),
      hook_path: host.hookPath,
      hook_secret_sealed: cipher.seal(Buffer.from(hookSecret), secretOwner(host.id)),
      created_by: host.createdById,
      created_at: host.createdAt,
    })
    .execute();
}

/** Locks the row, unless the host was deleted. Rows that refer to it can still be inserted. */
export async function lockGitHost(tx: Transaction, id: string): Promise<GitHost | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toGitHost(row);
}

/** Throws a unique violation of `git_host_name`. The row must be locked. `credential`: `null` leaves it as it is. */
export async function updateGitHostRow(
  tx: Transaction,
  cipher: Cipher,
  { id, name, url }: Pick<GitHost, "id" | "name" | "url">,
  credential: HostCredential | null,
): Promise<void> {
  await tx.sql
    .updateTable("git_host")
    .set({ name, url, ...(credential !== null && sealCredential(cipher, id, credential)) })
    .where("id", "=", id)
    .execute();
}

export async function markGitHostDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("git_host").set({ deleted_at: at }).where("id", "=", id).execute();
}

/**
 * Sets a new hook secret; the former one is accepted as well until `formerUntil`, unless it cannot be read, as after a
 * restore without the master key. The row must be locked.
 */
export async function replaceHookSecret(
  tx: Transaction,
  cipher: Cipher,
  id: string,
  { secret, formerUntil }: { secret: string; formerUntil: string | null },
): Promise<void> {
  const query = tx.sql.selectFrom("git_host").select("hook_secret_sealed").where("id", "=", id);
  const { hook_secret_sealed: former } = await query.executeTakeFirstOrThrow();
  const isKept = formerUntil !== null && isReadable(cipher, id, former);
  await tx.sql
    .updateTable("git_host")
    .set({
      hook_secret_sealed: cipher.seal(Buffer.from(secret), secretOwner(id)),
      former_hook_secret_sealed: isKept ? former : null,
      former_hook_secret_until: isKept ? formerUntil : null,
      former_hook_secret_used_at: null,
    })
    .where("id", "=", id)
    .execute();
}

function isReadable(cipher: Cipher, id: string, sealed: Buffer): boolean {
  try {
    cipher.open(sealed, secretOwner(id));
    return true;
  } catch {
    return false;
  }
}

/** Reads the kind of a host, and how git authenticates to it. Throws if the master key is not the one that sealed it. */
export async function findHostCredential(
  reader: Reader,
  cipher: Cipher,
  id: string,
): Promise<{ kind: GitHostKind; credential: HostCredential }> {
  const row = await reader.sql
    .selectFrom("git_host")
    .select(["kind", "credential_sealed"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  // Sealed by this file.
  const credential: HostCredential = JSON.parse(cipher.open(row.credential_sealed, credentialOwner(id)).toString());
  return { kind: word(GIT_HOST_KINDS, row.kind), credential };
}

/** A host with the secrets that its deliveries may be signed with. */
export interface HookDoor extends Pick<GitHost, "id" | "kind"> {
  secret: string;
  /** `null` once its time is over. */
  formerSecret: string | null;
}

/** Finds the host that sends hooks to a path, with the secrets in force at an instant. */
export async function findHookDoor(
  reader: Reader,
  cipher: Cipher,
  hookPath: string,
  at: string,
): Promise<HookDoor | null> {
  const row = await reader.sql
    .selectFrom("git_host")
    .select(["id", "kind", "hook_secret_sealed", "former_hook_secret_sealed", "former_hook_secret_until"])
    .where("hook_path", "=", hookPath)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, former_hook_secret_sealed: former, former_hook_secret_until: until } = row;
  const open = (sealed: Buffer): string => cipher.open(sealed, secretOwner(id)).toString();
  return {
    id,
    kind: word(GIT_HOST_KINDS, row.kind),
    secret: open(row.hook_secret_sealed),
    formerSecret: former !== null && until !== null && until > at ? open(former) : null,
  };
}

/** Not those that were deleted. */
export async function findGitHosts(reader: Reader, ids: readonly string[]): Promise<(GitHost | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toGitHost), (host) => host.id);
}

/** By name. */
export async function listGitHostsOfOrganizations(reader: Reader, ids: readonly string[]): Promise<GitHost[][]> {
  const rows = await kept(reader).where("organization_id", "in", ids).orderBy("name").execute();
  return grouped(ids, rows.map(toGitHost), (host) => host.organizationId);
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("git_host").select(COLUMNS).where("deleted_at", "is", null);
}

export async function countGitHosts(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("git_host")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}
