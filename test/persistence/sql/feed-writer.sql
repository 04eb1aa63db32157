-- feedTopics
-- sends nothing

-- commitWithFeed
begin;
select 1;
  commit;

-- commitWithFeed: two events
begin;
insert into feed_pending (organization_id, workspace_id, run_id, version, workspace_event_id)
  values ('org_…', 'ws_…', 'run_…', 1, null), ('org_…', 'ws_…', 'run_…', 2, null);
  commit;
