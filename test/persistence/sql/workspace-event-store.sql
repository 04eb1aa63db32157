-- appendWorkspaceEvent
with event as ( insert into workspace_event (workspace_id, at, actor_id, fields) values ($1::text, $2::timestamptz,
    $3::text, $4::text[]) returning id ) insert into feed_pending (organization_id, workspace_id, workspace_event_id)
  select $5::text, $6::text, id
  from event;
