-- findFollowedRefs
select "source", "trigger"
  from "workspace"
  where "repository_id" = $1
  and "deleted_at" is null;

-- listGitRefs
select "ref", "oid"
  from "git_ref"
  where "repository_id" = $1;

-- setGitRefs
insert into git_ref (repository_id, ref, oid, seen_at)
  select $1, seen.ref, seen.oid, $2::timestamptz
  from unnest($3::text[], $4::text[]) seen(ref, oid)
  on conflict (repository_id, ref) do update
  set oid = excluded.oid, seen_at = excluded.seen_at;

-- forgetGitRefs
delete from git_ref
  where repository_id = $1
  and ref = any($2);
