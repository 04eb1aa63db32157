-- insertRunComment
insert into "run_comment" ("id", "run_id", "actor_id", "text", "at")
  values ($1, $2, $3, $4, $5);

-- findRunComments
select *
  from "run_comment"
  where "id" in ($1)
  and not exists ( select from run owner join workspace gone on gone.id = owner.workspace_id where owner.id =
      "run_comment"."run_id" and gone.deleted_at is not null);

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
