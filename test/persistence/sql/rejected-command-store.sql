-- recordRejectedCommand
insert into "rejected_command" ("at", "actor_id", "command", "subject_id", "code", "message")
  values ($1, $2, $3, $4, $5, $6);

-- findFirstRefusals
select "run"."id", min("rejected_command"."at") as "at"
  from "rejected_command"
  inner join "run" on "run"."id" = "rejected_command"."subject_id"
  where "run"."id" in ($1)
  and "rejected_command"."command" = $2
  and "rejected_command"."code" = $3
  and "rejected_command"."at" >= "run"."status_at"
  group by "run"."id";

-- removeRejectedCommands
delete from "rejected_command"
  where "subject_id" in ($1)
  and "at" < $2;
