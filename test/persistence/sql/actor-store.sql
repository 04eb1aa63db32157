-- toActor
-- sends nothing

-- insertActor
insert into "actor" ("id", "kind", "name", "created_at")
  values ($1, $2, $3, $4);

-- findActors
select "id", "kind", "name"
  from "actor"
  where "id" = any((select $1::text[])::text[]);
