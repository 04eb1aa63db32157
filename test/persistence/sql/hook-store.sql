-- findRunHooks
select "id", "hooks"
  from "run"
  where "id" in ($1, $2)
  and not exists ( select from run owner join workspace gone on gone.id = owner.workspace_id where owner.id =
      "run"."id" and gone.deleted_at is not null);

-- getRunHooks
select "id", "hooks"
  from "run"
  where "id" in ($1)
  and not exists ( select from run owner join workspace gone on gone.id = owner.workspace_id where owner.id =
      "run"."id" and gone.deleted_at is not null);
