-- toActor
-- sends nothing

-- findOrInsertActor
insert into "actor" ("id", "kind", "name", "created_at")
  values ($1, $2, $3, $4)
  on conflict ("kind", "name") do update
  set "name" = $5
  returning "id", "kind", "name";

-- findActors
select "id", "kind", "name"
  from "actor"
  where "id" = any((select $1::text[])::text[]);
