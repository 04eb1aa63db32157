-- upsertPromotion
insert into "promotion" ("origin_id", "pipeline_id", "stage", "organization_id", "passed_at", "repositories",
    "due_at", "changeset_id", "superseded_by", "problem")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("origin_id", "pipeline_id", "stage") do update
  set "passed_at" = $11, "repositories" = $12, "due_at" = $13, "changeset_id" = $14, "superseded_by" = $15, "problem"
      = $16;

-- findPromotion
select *
  from "promotion"
  where "origin_id" = $1
  and "pipeline_id" = $2
  and "stage" = $3;

-- listDuePromotions
select "origin_id", "pipeline_id", "stage"
  from "promotion"
  where "due_at" <= $1
  order by "due_at"
  limit $2;

-- findNewerPromotion
select *
  from "promotion"
  where "pipeline_id" = $1
  and "stage" = $2
  and (passed_at, origin_id) > ($3, $4)
  and repositories && $5::text[]
  order by "passed_at" desc, "origin_id" desc
  limit $6;

-- findNewerPromotion: that is promoted
select *
  from "promotion"
  where "pipeline_id" = $1
  and "stage" = $2
  and (passed_at, origin_id) > ($3, $4)
  and repositories && $5::text[]
  and "changeset_id" is not null
  order by "passed_at" desc, "origin_id" desc
  limit $6;

-- supersedeSoaking
update "promotion"
  set "due_at" = $1, "superseded_by" = $2, "problem" = $3
  where "pipeline_id" = $4
  and "stage" = $5
  and "changeset_id" is null
  and "superseded_by" is null
  and (passed_at, origin_id) < ($6, $7)
  and repositories && $8::text[];

-- setPromotionsDue
update "promotion"
  set "due_at" = $1
  where "pipeline_id" = $2
  and "changeset_id" is null
  and "superseded_by" is null;

-- setPromotionsDue: never
update "promotion"
  set "due_at" = $1, "problem" = $2
  where "pipeline_id" = $3
  and "changeset_id" is null
  and "superseded_by" is null;

-- listPromotionsOf
select *
  from "promotion"
  where "origin_id" in ($1)
  order by "pipeline_id", "stage";

-- deletePromotion
delete from "promotion"
  where "origin_id" = $1
  and "pipeline_id" = $2
  and "stage" = $3;

-- listPromotable
select "id"
  from "changeset"
  where "promotable" = true
  order by "id"
  limit $1;

-- listPassed
select c.id
  from changeset c
  where c.organization_id = $1
  and c.passed_at is not null
  and not exists ( select from changeset_member m join workspace w on w.id = m.workspace_id where m.changeset_id =
      c.id and w.deleted_at is null and not ("w"."labels" <> '{}' and label_terms("w"."labels") @> $2::text[]))
  order by c.passed_at desc, c.id desc
  limit $3;

-- takePromotable
update "changeset"
  set "promotable" = $1
  where "id" = $2
  and "promotable" = true;

-- listOriginMembers
select w.id as workspace_id, w.labels, w.source, r.outcome, coalesce(r.status = 'SKIPPED', false) as skipped, case
    when r.inputs_digest is not null then r.revision end as
  commit
  from changeset_member m
  join workspace w on w.id = m.workspace_id
  left join run r on r.id = m.run_id
  where m.changeset_id = $1
  and w.deleted_at is null
  order by w.id;
