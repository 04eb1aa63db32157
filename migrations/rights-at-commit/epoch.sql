-- A transaction that changes rights itself is compared with the version from before its own changes.
alter table access_epoch
  -- The version before the transaction that counted last, and that transaction.
  add column former bigint,
  add column counted_in xid8;

create or replace function count_rights() returns trigger language plpgsql as $$
begin
  update access_epoch set version = version + 1,
    former = case when counted_in = pg_current_xact_id() then former else version end,
    counted_in = pg_current_xact_id();
  return null;
end
$$;

create or replace function count_move() returns trigger language plpgsql as $$
begin
  update access_epoch set version = version + 1, moves = moves + 1,
    former = case when counted_in = pg_current_xact_id() then former else version end,
    counted_in = pg_current_xact_id();
  return null;
end
$$;

-- Fails unless the version of rights is `known` and the credential was not revoked, but for what this transaction did.
-- Called with the commit: it sees what others committed while the transaction waited for its locks.
create function require_rights(known bigint, credential text) returns void language plpgsql as $$
begin
  perform from access_epoch
    where case when counted_in = pg_current_xact_id_if_assigned() then former else version end = known
      and (
        exists (
          select from token where id = credential
            and (revoked_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
        or exists (
          select from session where id = credential
            and (revoked_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
      );
  if not found then
    raise exception 'The rights of the caller have changed since its request came.' using errcode = 'HP001';
  end if;
end
$$;
