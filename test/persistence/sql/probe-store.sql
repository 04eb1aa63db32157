-- replaceProbes
delete from "probe"
  where "workspace_id" = $1;
insert into "probe" ("workspace_id", "name", "position", "kind", "use", "settings", "secrets_sealed")
  values ($1, $2, $3, $4, $5, $6, $7);

-- listProbes
select "workspace_id", "name", "settings", "secrets_sealed"
  from "probe"
  where "workspace_id" in ($1)
  order by "position";

-- listProbeSettings
select "workspace_id", "settings"
  from "probe"
  where "workspace_id" in ($1)
  order by "position";

-- findNewestOutputs
select distinct on ("workspace_id") "workspace_id", "id", "outputs", "secret_outputs_sealed"
  from "state_version"
  where "workspace_id" in ($1)
  order by "workspace_id", "serial" desc;
