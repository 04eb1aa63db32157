-- listFreezeWindowsOfApproved
select distinct held.value
  from run
  join workspace on workspace.id = run.workspace_id
  join organization on organization.id = run.organization_id
  cross join lateral jsonb_array_elements(workspace.freeze_windows || organization.freeze_windows) as held
  where run.status = 'CONFIRMED'
  and ($1::text is null or run.organization_id = $2)
  and ($3::text is null or run.workspace_id = $4)
  limit $5;
