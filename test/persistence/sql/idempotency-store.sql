-- findIdempotencyKey
select "request_digest", "run_id"
  from "idempotency_key"
  where "workspace_id" = $1
  and "actor_id" = $2
  and "key" = $3
  and "created_at" >= $4;

-- putIdempotencyKey
insert into "idempotency_key" ("workspace_id", "actor_id", "key", "request_digest", "run_id", "created_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "actor_id", "key") do update
  set "request_digest" = $7, "run_id" = $8, "created_at" = $9;

-- removeIdempotencyKeys
delete from idempotency_key
  where ctid = any (array( select ctid from idempotency_key where created_at < $1 limit $2 for update skip locked ));
