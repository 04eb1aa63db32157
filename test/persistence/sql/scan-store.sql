-- putScan
insert into "run_scan" ("run_id", "scan")
  values ($1, $2)
  on conflict ("run_id") do update
  set "scan" = $3;

-- findScans
select *
  from "run_scan"
  where "run_id" in ($1);
