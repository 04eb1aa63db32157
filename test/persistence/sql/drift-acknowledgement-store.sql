-- putAcknowledgement
insert into "drift_acknowledgement" ("workspace_id", "fingerprint", "until", "note", "actor_id", "at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "fingerprint") do update
  set "until" = $7, "note" = $8, "actor_id" = $9, "at" = $10;

-- findAcknowledgements
select *
  from "drift_acknowledgement"
  where ("workspace_id" = $1 and "fingerprint" = $2)
  and "until" > $3;
