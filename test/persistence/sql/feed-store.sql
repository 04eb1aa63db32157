-- readFeeds
select feed_settle($1::text[]);
select look.place::int, head.epoch, head.position as head, (select version from access_epoch) as "access_version",
    head.organization_id, entry.position, entry.workspace_id, entry.run_id, entry.version, (select project_id from
    workspace where workspace.id = entry.workspace_id) as project_id, coalesce(run_event.at, workspace_event.at,
    changeset_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id, changeset_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, workspace_event.health,
    changeset_event.changeset_id, changeset_event.change, changeset_event.gate, concerned.project_ids,
    concerned.workspace_ids, coalesce( (select min(position) from feed_entry where organization_id =
    head.organization_id), head.position + 1 ) as oldest
  from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::bigint[])) with ordinality as
      look (organization_id, workspace_id, changeset_id, after, place)
  join feed_head as head on head.organization_id = look.organization_id
  left join lateral ( ( select * from feed_entry where look.workspace_id is null and look.changeset_id is null and
      organization_id = look.organization_id and position > look.after and (run_id is null or (select deleted_at from
      workspace where workspace.id = feed_entry.workspace_id) is null) order by position limit (select $5::int)) union
      all ( select * from feed_entry where workspace_id = look.workspace_id and position > look.after and (run_id is
      null or (select deleted_at from workspace where workspace.id = feed_entry.workspace_id) is null) order by
      position limit (select $6::int)) union all ( select * from feed_entry where changeset_id = look.changeset_id and
      position > look.after and (run_id is null or (select deleted_at from workspace where workspace.id =
      feed_entry.workspace_id) is null) order by position limit (select $7::int)) ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  left join changeset_event on changeset_event.id = entry.changeset_event_id
  left join lateral ( select array_agg(workspace.project_id order by workspace.id) as project_ids,
      array_agg(workspace.id order by workspace.id) as workspace_ids from changeset_member member join workspace on
      workspace.id = member.workspace_id where member.changeset_id = changeset_event.changeset_id and
      workspace.deleted_at is null and (changeset_event.workspace_ids is null or workspace.id =
      any(changeset_event.workspace_ids)) ) as concerned on changeset_event.id is not null
  order by look.place, entry.position;

-- readFeed
select feed_settle($1::text[]);
select look.place::int, head.epoch, head.position as head, (select version from access_epoch) as "access_version",
    head.organization_id, entry.position, entry.workspace_id, entry.run_id, entry.version, (select project_id from
    workspace where workspace.id = entry.workspace_id) as project_id, coalesce(run_event.at, workspace_event.at,
    changeset_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id, changeset_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, workspace_event.health,
    changeset_event.changeset_id, changeset_event.change, changeset_event.gate, concerned.project_ids,
    concerned.workspace_ids, coalesce( (select min(position) from feed_entry where organization_id =
    head.organization_id), head.position + 1 ) as oldest
  from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::bigint[])) with ordinality as
      look (organization_id, workspace_id, changeset_id, after, place)
  join feed_head as head on head.organization_id = look.organization_id
  left join lateral ( ( select * from feed_entry where look.workspace_id is null and look.changeset_id is null and
      organization_id = look.organization_id and position > look.after and (run_id is null or (select deleted_at from
      workspace where workspace.id = feed_entry.workspace_id) is null) order by position limit (select $5::int)) union
      all ( select * from feed_entry where workspace_id = look.workspace_id and position > look.after and (run_id is
      null or (select deleted_at from workspace where workspace.id = feed_entry.workspace_id) is null) order by
      position limit (select $6::int)) union all ( select * from feed_entry where changeset_id = look.changeset_id and
      position > look.after and (run_id is null or (select deleted_at from workspace where workspace.id =
      feed_entry.workspace_id) is null) order by position limit (select $7::int)) ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  left join changeset_event on changeset_event.id = entry.changeset_event_id
  left join lateral ( select array_agg(workspace.project_id order by workspace.id) as project_ids,
      array_agg(workspace.id order by workspace.id) as workspace_ids from changeset_member member join workspace on
      workspace.id = member.workspace_id where member.changeset_id = changeset_event.changeset_id and
      workspace.deleted_at is null and (changeset_event.workspace_ids is null or workspace.id =
      any(changeset_event.workspace_ids)) ) as concerned on changeset_event.id is not null
  order by look.place, entry.position;

-- readFeed: of a workspace
select feed_settle($1::text[]);
select look.place::int, head.epoch, head.position as head, (select version from access_epoch) as "access_version",
    head.organization_id, entry.position, entry.workspace_id, entry.run_id, entry.version, (select project_id from
    workspace where workspace.id = entry.workspace_id) as project_id, coalesce(run_event.at, workspace_event.at,
    changeset_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id, changeset_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, workspace_event.health,
    changeset_event.changeset_id, changeset_event.change, changeset_event.gate, concerned.project_ids,
    concerned.workspace_ids, coalesce( (select min(position) from feed_entry where organization_id =
    head.organization_id), head.position + 1 ) as oldest
  from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::bigint[])) with ordinality as
      look (organization_id, workspace_id, changeset_id, after, place)
  join feed_head as head on head.organization_id = look.organization_id
  left join lateral ( ( select * from feed_entry where look.workspace_id is null and look.changeset_id is null and
      organization_id = look.organization_id and position > look.after and (run_id is null or (select deleted_at from
      workspace where workspace.id = feed_entry.workspace_id) is null) order by position limit (select $5::int)) union
      all ( select * from feed_entry where workspace_id = look.workspace_id and position > look.after and (run_id is
      null or (select deleted_at from workspace where workspace.id = feed_entry.workspace_id) is null) order by
      position limit (select $6::int)) union all ( select * from feed_entry where changeset_id = look.changeset_id and
      position > look.after and (run_id is null or (select deleted_at from workspace where workspace.id =
      feed_entry.workspace_id) is null) order by position limit (select $7::int)) ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  left join changeset_event on changeset_event.id = entry.changeset_event_id
  left join lateral ( select array_agg(workspace.project_id order by workspace.id) as project_ids,
      array_agg(workspace.id order by workspace.id) as workspace_ids from changeset_member member join workspace on
      workspace.id = member.workspace_id where member.changeset_id = changeset_event.changeset_id and
      workspace.deleted_at is null and (changeset_event.workspace_ids is null or workspace.id =
      any(changeset_event.workspace_ids)) ) as concerned on changeset_event.id is not null
  order by look.place, entry.position;

-- readFeed: of a changeset
select feed_settle($1::text[]);
select look.place::int, head.epoch, head.position as head, (select version from access_epoch) as "access_version",
    head.organization_id, entry.position, entry.workspace_id, entry.run_id, entry.version, (select project_id from
    workspace where workspace.id = entry.workspace_id) as project_id, coalesce(run_event.at, workspace_event.at,
    changeset_event.at) as at, coalesce(run_event.actor_id, workspace_event.actor_id, changeset_event.actor_id) as
    actor_id, run_event.type, run_event.to_status, run_event.data, workspace_event.fields, workspace_event.health,
    changeset_event.changeset_id, changeset_event.change, changeset_event.gate, concerned.project_ids,
    concerned.workspace_ids, coalesce( (select min(position) from feed_entry where organization_id =
    head.organization_id), head.position + 1 ) as oldest
  from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::bigint[])) with ordinality as
      look (organization_id, workspace_id, changeset_id, after, place)
  join feed_head as head on head.organization_id = look.organization_id
  left join lateral ( ( select * from feed_entry where look.workspace_id is null and look.changeset_id is null and
      organization_id = look.organization_id and position > look.after and (run_id is null or (select deleted_at from
      workspace where workspace.id = feed_entry.workspace_id) is null) order by position limit (select $5::int)) union
      all ( select * from feed_entry where workspace_id = look.workspace_id and position > look.after and (run_id is
      null or (select deleted_at from workspace where workspace.id = feed_entry.workspace_id) is null) order by
      position limit (select $6::int)) union all ( select * from feed_entry where changeset_id = look.changeset_id and
      position > look.after and (run_id is null or (select deleted_at from workspace where workspace.id =
      feed_entry.workspace_id) is null) order by position limit (select $7::int)) ) as entry on true
  left join run_event on run_event.run_id = entry.run_id
  and run_event.version = entry.version
  left join workspace_event on workspace_event.id = entry.workspace_event_id
  left join changeset_event on changeset_event.id = entry.changeset_event_id
  left join lateral ( select array_agg(workspace.project_id order by workspace.id) as project_ids,
      array_agg(workspace.id order by workspace.id) as workspace_ids from changeset_member member join workspace on
      workspace.id = member.workspace_id where member.changeset_id = changeset_event.changeset_id and
      workspace.deleted_at is null and (changeset_event.workspace_ids is null or workspace.id =
      any(changeset_event.workspace_ids)) ) as concerned on changeset_event.id is not null
  order by look.place, entry.position;

-- settleFeeds
select feed_settle($1::text[]);

-- dropForeignFloors
update feed_head
  set settled_before = default
  where settled_before > pg_snapshot_xmax(pg_current_snapshot());

-- listUnsettledFeeds
select organization_id as id
  from feed_head h
  where ( select true from feed_pending p where p.organization_id = h.organization_id and p.transaction_id >=
      feed_floor(h.settled_before) limit 1 );

-- findFeedHead
select feed_settle($1::text[]);
select "epoch", "position"
  from "feed_head"
  where "organization_id" = $1;

-- renewFeedEpochs
update feed_head
  set epoch = default, settled_before = default;
