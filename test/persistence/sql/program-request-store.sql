-- insertProgramRequest
insert into "program_request" ("secret_hash", "client", "address", "permissions", "poll_ms", "created_at",
    "expires_at", "user_code_mac")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("user_code_mac") do nothing;

-- insertProgramRequest: allowed in the browser
insert into "program_request" ("secret_hash", "client", "address", "permissions", "poll_ms", "created_at",
    "expires_at", "redirect_uri", "challenge", "actor_id", "decision")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("user_code_mac") do nothing;

-- findOpenProgramRequest
select *
  from "program_request"
  where "user_code_mac" = $1
  and "decision" is null
  and "expires_at" > $2;

-- lockProgramRequest
select *
  from "program_request"
  where "secret_hash" = $1
  for update;

-- notePoll
update "program_request"
  set "polled_at" = $1, "poll_ms" = $2
  where "secret_hash" = $3;

-- decideProgramRequest
update "program_request"
  set "actor_id" = $1, "decision" = $2
  where "user_code_mac" = $3
  and "decision" is null
  and "expires_at" > $4;

-- noteProgramToken
update "program_request"
  set "token_id" = $1
  where "secret_hash" = $2;

-- removeProgramRequests
delete from "program_request"
  where "secret_hash" in (select "secret_hash" from "program_request" where "expires_at" < $1 order by "expires_at"
      limit $2);
