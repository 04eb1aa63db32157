-- noteObject
insert into "orphaned_object" ("blob_id", "due_at")
  values ($1, $2);

-- claimOrphanedObjects
select "blob_id"
  from "orphaned_object"
  where "due_at" <= $1
  and ("removing_at" is null or "removing_at" < $2)
  order by "removing_at" asc nulls first, "due_at"
  limit $3
  for update skip locked;
update "orphaned_object"
  set "removing_at" = $1
  where "blob_id" in ($2);

-- keepObject
delete from "orphaned_object"
  where "blob_id" = $1
  and "removing_at" is null;

-- dropObject
update "orphaned_object"
  set "due_at" = $1
  where "blob_id" = $2;

-- forgetObjects
delete from "orphaned_object"
  where "blob_id" in ($1);

-- forgetObjects: none
-- sends nothing
