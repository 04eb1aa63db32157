-- insertRunComment
insert into "run_comment" ("id", "run_id", "actor_id", "text", "at")
  values ($1, $2, $3, $4, $5);

-- findRunComments
select "run_comment".*, "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "run_comment"
  inner join "run" on "run"."id" = "run_comment"."run_id"
  where "run_comment"."id" in ($1)
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- listRunComments
select *
  from "run_comment"
  where "run_id" = $1
  order by "id" asc
  limit $2;

-- listRunComments: backward
select *
  from "run_comment"
  where "run_id" = $1
  and "id" > $2
  and "id" < $3
  order by "id" desc
  limit $4;
