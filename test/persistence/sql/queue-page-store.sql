-- listQueue
select *
  from ( (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", (case when run.status = 'CONFIRMED' then 0 else 1
      end) as class from run where run.workspace_id = $1 and run.status in ('REPLAN_REQUESTED', 'CONFIRMED') and
      run.kind <> 'PLAN' and not run.holds_workspace order by class, run.priority desc, run.number limit $2) union all
      (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", 2 as class from run where run.workspace_id = $3 and
      run.status = 'QUEUED' order by class, run.priority desc, run.number limit $4) ) waiting
  order by class, priority desc, number
  limit $5;

-- listQueue: behind a position
select *
  from ( (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", (case when run.status = 'CONFIRMED' then 0 else 1
      end) as class from run where run.workspace_id = $1 and run.status in ('REPLAN_REQUESTED', 'CONFIRMED') and
      run.kind <> 'PLAN' and not run.holds_workspace and ((case when run.status = 'CONFIRMED' then 0 else 1 end),
      -run.priority, run.number) > ($2, $3, $4) order by class, run.priority desc, run.number limit $5) union all
      (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", 2 as class from run where run.workspace_id = $6 and
      run.status = 'QUEUED' and (2, -run.priority, run.number) > ($7, $8, $9) order by class, run.priority desc,
      run.number limit $10) ) waiting
  order by class, priority desc, number
  limit $11;

-- countQueue
select count(*) as count
  from ( (select from run where run.workspace_id = $1 and run.status in ('REPLAN_REQUESTED', 'CONFIRMED') and run.kind
      <> 'PLAN' and not run.holds_workspace limit $2) union all (select from run where run.workspace_id = $3 and
      run.status = 'QUEUED' limit $4) ) waiting;
