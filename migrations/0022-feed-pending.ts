import { type Kysely, sql } from "kysely";

/**
 * Positions of a feed are given to what is committed, not by the transactions themselves: those would hold the counter
 * of their organization while they wait for the disk, one after the other. A transaction leaves its entries in
 * `feed_pending`, and whoever reads a feed, or the scheduler, has them entered first (`feed_settle`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_pending (
      organization_id text not null,
      id bigint generated always as identity,
      workspace_id text not null,
      run_id text,
      version integer,
      workspace_event_id bigint,
      primary key (organization_id, id),
      check ((run_id is null) = (version is null)),
      check ((run_id is null) <> (workspace_event_id is null))
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  `.execute(db);
  // Ids are taken by the last statement of a transaction, under the locks of what it changed: what was committed before
  // has lower ones. One that commits late with a low id comes behind those that were entered without it, and is
  // concurrent to them. Everything committed when the head is locked is seen, because each statement has a new snapshot.
  await sql`
    create function feed_settle(organization text) returns void language plpgsql as $$
    begin
      perform 1 from feed_pending where organization_id = organization limit 1;
      if not found then
        return;
      end if;
      perform 1 from feed_head where organization_id = organization for no key update;
      if not found then
        raise exception 'the organization % has no feed', organization using errcode = 'HP002';
      end if;
      with taken as (
        delete from feed_pending where organization_id = organization returning *
      ), entered as (
        insert into feed_entry (organization_id, position, workspace_id, run_id, version, workspace_event_id)
        select organization, h.position + row_number() over (order by t.id), t.workspace_id, t.run_id, t.version,
          t.workspace_event_id
        from taken t cross join feed_head h where h.organization_id = organization
        returning position
      )
      update feed_head h set position = e.newest from (select max(position) as newest from entered) e
        where h.organization_id = organization and e.newest is not null;
    end $$;
    -- What older servers call: behind what is committed, so that no run's events change their places.
    create or replace function feed_append(
      organization text, workspace_ids text[], run_ids text[], versions integer[], event_ids bigint[]
    ) returns void language plpgsql as $$
    declare
      newest bigint;
    begin
      perform feed_settle(organization);
      update feed_head set position = position + cardinality(workspace_ids)
        where organization_id = organization returning position into newest;
      if not found then
        raise exception 'the organization % has no feed', organization using errcode = 'HP002';
      end if;
      insert into feed_entry (organization_id, position, workspace_id, run_id, version, workspace_event_id)
        select organization, newest - cardinality(workspace_ids) + place, workspace_id, run_id, version, event_id
        from unnest(workspace_ids, run_ids, versions, event_ids)
          with ordinality as entry (workspace_id, run_id, version, event_id, place);
    end $$;
  `.execute(db);
}
