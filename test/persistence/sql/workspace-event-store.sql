-- appendWorkspaceEvent
insert into "workspace_event" ("workspace_id", "at", "actor_id", "fields")
  values ($1, $2, $3, $4)
  returning "id";
