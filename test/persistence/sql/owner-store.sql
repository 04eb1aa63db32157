-- findOwner
select owner_id
  from schedule
  where id = $1
  and deleted_at is null
  union all
  select owner_id
  from inbound_hook
  where id = $2
  and deleted_at is null
  union all
  select owner_id
  from promotion_pipeline
  where id = $3
  and deleted_at is null;
