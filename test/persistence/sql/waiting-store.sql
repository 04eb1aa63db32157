-- findCalled
with waiting as ( select w.*, r.pool_id, r.labels, coalesce(p.organization_id, '') as organization_id, p.reserved,
    r.revoked_at is null and p.deleted_at is null and not r.draining and r.drain_requested_at is null as takes_work,
    r.revoked_at is not null or p.deleted_at is not null or r.cycle_instance = w.instance as is_over from
    unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[]) with ordinality as w (claim_id, runner_id,
    instance, token_id, is_called, turn) join runner r on r.id = w.runner_id left join runner_pool p on p.id =
    r.pool_id), lanes as materialized ( select coalesce(organization_id, '') as organization_id, pool_id, labels,
    count(*) as runs from dispatch where offered group by grouping sets ((organization_id, pool_id, labels), (pool_id,
    labels)))
  select claim_id
  from ( select w.claim_id, w.is_called from waiting w where w.is_over or exists (select from runner_token t where
      t.id = w.token_id and (t.revoked_at is not null or t.expires_at <= $6)) or exists (select from job where
      job.claim_id = w.claim_id and job.ended_at is null) union select claim_id, is_called from ( select w.claim_id,
      w.is_called, l.runs, row_number() over (partition by l.organization_id, l.pool_id, l.labels order by w.turn) as
      place from waiting w join lanes l on l.organization_id = w.organization_id and runner_takes(w.pool_id,
      w.organization_id, w.reserved, w.labels, l.organization_id, l.pool_id, l.labels) where w.takes_work) able where
      place <= runs union (select claim_id, is_called from ( select distinct on (w.pool_id, w.labels) w.claim_id,
      w.is_called, w.turn from waiting w where w.takes_work and exists (select from lanes l where l.organization_id =
      w.organization_id and not (runner_takes(w.pool_id, w.organization_id, w.reserved, w.labels, l.organization_id,
      l.pool_id, l.labels))) order by w.pool_id, w.labels, w.turn) kinds order by turn limit 100)) found
  where not is_called;

-- touchRunners
update runner
  set last_seen_at = $1
  where id in ( select id from runner where id = any($2) and revoked_at is null order by id for no key update skip
      locked);
