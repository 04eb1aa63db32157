-- Feeds: the events of an organization in commit order.

create table feed_head (
  organization_id text primary key references organization,
  epoch text not null default "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 12),
  position bigint not null default 0,
  settled_before xid8 not null default '0'::xid8
) with (fillfactor = 50);

-- No foreign keys: entries are written while every writer of the organization waits for the head, in the transaction that
-- wrote what they refer to, and that is never deleted.
create table feed_entry (
  organization_id text,
  position bigint,
  workspace_id text,
  -- That of the run, or of the event.
  changeset_id text,
  run_id text,
  version integer,
  workspace_event_id bigint,
  changeset_event_id bigint,
  primary key (organization_id, "position"),
  check ((run_id is null) = (version is null)),
  check (num_nonnulls(run_id, workspace_event_id, changeset_event_id) = 1),
  check ((workspace_id is null) = (changeset_event_id is not null)),
  check (changeset_event_id is null or changeset_id is not null)
);
create index feed_entry_workspace on feed_entry (workspace_id, "position");
create index feed_entry_changeset on feed_entry (changeset_id, "position") where changeset_id is not null;

-- A transaction leaves its entries here. Their positions are assigned when the feed is read (`feed_settle`): writers that
-- took positions themselves would hold the counter of the organization while they wait for the disk.
create table feed_pending (
  organization_id text,
  id bigint generated always as identity,
  workspace_id text,
  changeset_id text,
  run_id text,
  version integer,
  workspace_event_id bigint,
  changeset_event_id bigint,
  transaction_id xid8 default pg_current_xact_id(),
  primary key (organization_id, transaction_id, id),
  check ((run_id is null) = (version is null)),
  check (num_nonnulls(run_id, workspace_event_id, changeset_event_id) = 1)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function feed_open() returns trigger language plpgsql as $$
begin
  insert into feed_head (organization_id) values (new.id);
  return null;
end
$$;

-- Assigns positions to pending entries, in the order of the transactions, for many feeds with one flush of the disk. The
-- head remembers before which transaction all entries have positions: dead rows before it are not read again.
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
      insert into feed_entry (organization_id, position, workspace_id, changeset_id, run_id, version, workspace_event_id,
        changeset_event_id)
      select whose, head.position + row_number() over (order by id), workspace_id, changeset_id, run_id, version,
        workspace_event_id, changeset_event_id
      from taken returning position
    )
    update feed_head h set position = e.newest, settled_before = pg_snapshot_xmin(pg_current_snapshot())
      from (select max(position) as newest from entered) e
      where h.organization_id = whose and e.newest is not null;
  end loop;
end
$$;

-- A number of the future is of another cluster, from which the rows were copied: then every entry is read.
create function feed_floor(settled_before xid8) returns xid8 language sql stable
  return case when settled_before > pg_snapshot_xmax(pg_current_snapshot()) then '0'::xid8 else settled_before end;

create trigger feed_open after insert on organization for each row execute function feed_open();
