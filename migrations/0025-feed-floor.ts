import { type Kysely, sql } from "kysely";

/**
 * What is entered into a feed leaves a dead row in `feed_pending`, which is not removed while anybody has an older
 * snapshot open: a dump, a long report. A look that goes through them all takes 12 ms for 100,000. So entries are found
 * by the transaction that wrote them, and a head remembers before which transaction all is settled: a look begins there.
 * Who only reads has no number of a transaction, and does not hold it back.
 *
 * Also, many feeds are settled at once: one flush of the disk for all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feed_pending add column transaction_id xid8 not null default pg_current_xact_id();
    alter table feed_pending drop constraint feed_pending_pkey;
    alter table feed_pending add primary key (organization_id, transaction_id, id);
    alter table feed_head add column settled_before xid8 not null default '0';
  `.execute(db);
  // Numbers of transactions are the cluster's own. One from the future is that of another cluster, from which the rows
  // were copied: then everything is looked at, until the next settlement.
  await sql`
    create function feed_floor(settled_before xid8) returns xid8 language sql stable
      return case when settled_before > pg_snapshot_xmax(pg_current_snapshot()) then '0'::xid8 else settled_before end;
    create function feed_settle(organizations text[]) returns void language plpgsql set enable_seqscan to off as $$
    declare
      whose text;
      head record;
    begin
      -- Always in this order, so that nobody waits for who waits for him.
      for whose in select distinct o from unnest(organizations) o order by o loop
        continue when not exists (
          select from feed_pending where organization_id = whose and transaction_id >= coalesce(
            (select feed_floor(settled_before) from feed_head where organization_id = whose), '0'
          )
        );
        select position, feed_floor(settled_before) as settled_before into head from feed_head
          where organization_id = whose for no key update;
        if not found then
          raise exception 'the organization % has no feed', whose using errcode = 'HP002';
        end if;
        -- A new snapshot: everything that was committed when the head was locked is seen. What is not seen is of
        -- transactions that are at work, none of which is before the snapshot's oldest one.
        with taken as (
          delete from feed_pending where organization_id = whose and transaction_id >= head.settled_before returning *
        ), entered as (
          insert into feed_entry (organization_id, position, workspace_id, run_id, version, workspace_event_id)
          select whose, head.position + row_number() over (order by id), workspace_id, run_id, version,
            workspace_event_id
          from taken returning position
        )
        update feed_head h set position = e.newest, settled_before = pg_snapshot_xmin(pg_current_snapshot())
          from (select max(position) as newest from entered) e
          where h.organization_id = whose and e.newest is not null;
      end loop;
    end $$;
    -- What older servers call.
    create or replace function feed_settle(organization text) returns void language plpgsql as $$
    begin
      perform feed_settle(array[organization]);
    end $$;
  `.execute(db);
}
