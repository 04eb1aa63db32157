-- findOwner
select "owner_id"
  from "schedule"
  where "id" = $1
  and "deleted_at" is null;
