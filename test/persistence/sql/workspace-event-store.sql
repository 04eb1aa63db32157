-- appendWorkspaceEvent
with event as ( insert into workspace_event (workspace_id, at, actor_id, fields, health) values ($1::text,
    $2::timestamptz, $3::text, $4::text[], $5::jsonb) returning id ) insert into feed_pending (organization_id,
    workspace_id, workspace_event_id)
  select $6::text, $7::text, id
  from event;
