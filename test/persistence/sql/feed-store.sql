-- readFeed
select feed_settle($1);
select head.epoch, head.position as head, entry.position, entry.workspace_id, entry.run_id, entry.version,
    coalesce(run_event.at, workspace_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, coalesce( (select
    min(position) from feed_entry where organization_id = head.organization_id), head.position + 1 ) as oldest
  from feed_head as head
  left join lateral ( select * from feed_entry where organization_id = $1 and position > $2 and (run_id is null or not
      exists ( select from workspace gone where gone.id = "workspace_id" and gone.deleted_at is not null)) order by
      position limit $3 ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  where head.organization_id = $4
  order by entry.position;

-- readFeed: of a workspace
select feed_settle($1);
select head.epoch, head.position as head, entry.position, entry.workspace_id, entry.run_id, entry.version,
    coalesce(run_event.at, workspace_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, coalesce( (select
    min(position) from feed_entry where organization_id = head.organization_id), head.position + 1 ) as oldest
  from feed_head as head
  left join lateral ( select * from feed_entry where workspace_id = $1 and position > $2 and (run_id is null or not
      exists ( select from workspace gone where gone.id = "workspace_id" and gone.deleted_at is not null)) order by
      position limit $3 ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  where head.organization_id = $4
  order by entry.position;

-- settleFeed
select feed_settle($1);

-- listUnsettledFeeds
select distinct "organization_id"
  from "feed_pending";

-- findFeedHead
select feed_settle($1);
select "epoch", "position"
  from "feed_head"
  where "organization_id" = $1;

-- renewFeedEpochs
update feed_head
  set epoch = default;
