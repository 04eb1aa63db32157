-- recordRejectedCommand
insert into "rejected_command" ("at", "actor_id", "credential_id", "command", "subject_id", "organization_id",
    "workspace_id", "sight", "code", "message")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- listRejectedCommands
select "rejected_command".*, "place"."project_id"
  from "rejected_command"
  left join "workspace" as "place" on "place"."id" = "rejected_command"."workspace_id"
  where "subject_id" = $1
  and (sight = any($2))
  order by "rejected_command"."id" desc
  limit $3;

-- listRejectedCommands: of a workspace, backward
select "rejected_command".*, "place"."project_id"
  from "rejected_command"
  left join "workspace" as "place" on "place"."id" = "rejected_command"."workspace_id"
  where "rejected_command"."workspace_id" = $1
  and (sight = any($2))
  and "rejected_command"."id" < $3
  and "rejected_command"."id" > $4
  order by "rejected_command"."id" asc
  limit $5;

-- listRejectedCommands: of an organization
select "rejected_command".*, "place"."project_id"
  from "rejected_command"
  left join "workspace" as "place" on "place"."id" = "rejected_command"."workspace_id"
  where "rejected_command"."organization_id" = $1
  and (sight = any($2))
  order by "rejected_command"."id" desc
  limit $3;

-- listRejectedCommands: without a project that is hidden
select "rejected_command".*, "place"."project_id"
  from "rejected_command"
  left join "workspace" as "place" on "place"."id" = "rejected_command"."workspace_id"
  where "rejected_command"."organization_id" = $1
  and ((sight = any($2) and (("rejected_command"."organization_id" = any($3::text[]) and ("place"."project_id" is null
      or "place"."project_id" <> all($4::text[]))) or "place"."project_id" = any($5::text[]) or
      "rejected_command"."workspace_id" = any($6::text[]))))
  order by "rejected_command"."id" desc
  limit $7;

-- removeOtherRejectedCommands
delete from rejected_command
  where id in ( select id from rejected_command where organization_id = $1 and sight <> 'RUN_READ' and at < $2 order
      by id limit $3 );

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
