import { sql } from "kysely";
import type { Statement, Transaction } from "../database/database.ts";

/** A delivery of a host that names a repository. */
export interface Hint {
  gitHostId: string;
  deliveryId: string;
  event: string;
  /** The host's id of the repository. */
  remoteId: string;
  /** The path of the repository in small letters. */
  name: string;
  at: string;
  /** Whether it was signed with the former secret. */
  byFormer: boolean;
}

/**
 * Records a delivery and requests a look of its repository, in one statement. A repository without an id gets the one that
 * comes with its name. `isNew`: it was not recorded before. `isKnown`: the host has the repository.
 */
export async function recordHint(
  statement: Statement,
  { gitHostId, deliveryId, event, remoteId, name, at, byFormer }: Hint,
): Promise<{ isNew: boolean; isKnown: boolean }> {
  // Bitbucket Data Center has the repositories of git below scm/.
  const names = [name, `scm/${name}`, `${name}.git`];
  const { rows } = await sql<{ isNew: boolean; isKnown: boolean }>`
    with known as (
      select id, remote_id from repository
      where git_host_id = ${gitHostId} and deleted_at is null
        and (remote_id = ${remoteId} or (remote_id is null and lower(name) = any(${names})))
      order by remote_id nulls last limit 1
    ), recorded as (
      insert into hint (git_host_id, delivery_id, event, remote_id, at)
      select ${gitHostId}, ${deliveryId}, ${event}, ${remoteId}, ${at}::timestamptz from known
      on conflict do nothing returning 1
    ), named as (
      update repository r set remote_id = ${remoteId} from known where r.id = known.id and known.remote_id is null
    ), due as (
      update repository_look l set wanted = l.wanted + 1, hooked = l.wanted + 1 from known
      where l.repository_id = known.id returning 1
    ), former as (
      update git_host set former_hook_secret_used_at = ${at}::timestamptz where ${byFormer} and id = ${gitHostId}
    )
    select exists (select from recorded) as "isNew", exists (select from due) as "isKnown"`.execute(statement.sql);
  return rows[0] ?? { isNew: false, isKnown: false };
}

/** Removes deliveries from before an instant; returns how many. */
export async function removeHintsBefore(tx: Transaction, before: string, atMost: number): Promise<number> {
  const result = await sql`
    delete from hint where ctid = any (array(select ctid from hint where at < ${before} limit ${atMost}))`.execute(
    tx.sql,
  );
  return Number(result.numAffectedRows ?? 0);
}
