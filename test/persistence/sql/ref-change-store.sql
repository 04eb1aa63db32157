-- takeChangeNumbers
update "repository"
  set "last_change" = "last_change" + $1
  where "id" = $2
  returning "last_change";

-- insertRefChanges
insert into ref_change (id, repository_id, seq, ref, before, after, forced, found_by, found_at, decided_at, decide_at)
  select id, repository_id, seq, ref, before, after, forced, found_by, found_at, decided_at, case when decided_at is
      null then found_at end
  from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
      $9::timestamptz[], $10::timestamptz[] ) moved(id, repository_id, seq, ref, before, after, forced, found_by,
      found_at, decided_at);

-- findRefChanges
select "ref_change".*, "repository"."organization_id"
  from "ref_change"
  inner join "repository" on "repository"."id" = "ref_change"."repository_id"
  where "ref_change"."id" in ($1);

-- listRefChanges
select "ref_change".*, "repository"."organization_id"
  from "ref_change"
  inner join "repository" on "repository"."id" = "ref_change"."repository_id"
  where "repository_id" = $1
  order by "seq" desc
  limit $2;

-- listRefChanges: of one ref, between two
select "ref_change".*, "repository"."organization_id"
  from "ref_change"
  inner join "repository" on "repository"."id" = "ref_change"."repository_id"
  where "repository_id" = $1
  and "ref" = $2
  and "seq" < $3
  and "seq" > $4
  order by "seq" asc
  limit $5;

-- listRefChangesSince
select "ref_change".*, "repository"."organization_id"
  from "ref_change"
  inner join "repository" on "repository"."id" = "ref_change"."repository_id"
  where "repository_id" = $1
  and "seq" > $2
  order by "seq"
  limit $3;

-- removeRefChangesBefore
with old as ( select id from ref_change c where found_at < $1 and decided_at is not null and changeset_id is null and
    not exists (select from ref_change o where o.superseded_by = c.id) order by found_at limit $2 for update skip
    locked ), decisions as ( delete from trigger_decision using old where trigger_decision.ref_change_id = old.id )
    delete from ref_change
  using old
  where ref_change.id = old.id
  returning ref_change.id;

-- findLastChange
select "last_change"
  from "repository"
  where "id" = $1;
