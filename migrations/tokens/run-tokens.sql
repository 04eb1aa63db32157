-- Grants to workspaces: their runs act with them on the API.

-- The actor of what the runs of a workspace do.
alter table actor add column workspace_id text unique references workspace;

-- The credential of a run is its job, and ends with it.
create or replace function require_rights(known bigint, credential text) returns void language plpgsql as $$
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
        or exists (
          select from job where id = credential
            and (ended_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
      );
  if not found then
    raise exception 'The rights of the caller have changed since its request came.' using errcode = 'HP001';
  end if;
end
$$;
