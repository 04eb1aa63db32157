-- listActorIdsByRole
select distinct "actor_id"
  from "token"
  where "role" in ($1, $2)
  and "revoked_at" is null
  and ("expires_at" is null or "expires_at" > $3)
  order by "actor_id"
  limit $4;
