-- appendChangesetEvent
with event as ( insert into changeset_event (changeset_id, at, actor_id, change, gate, workspace_ids) values ($1, $2,
    $3, $4, $5, $6::text[]) returning id ) insert into feed_pending (organization_id, changeset_id,
    changeset_event_id)
  select $7, $8, id
  from event;
