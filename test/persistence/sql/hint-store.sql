-- recordHint
with known as ( select id, remote_id from repository where git_host_id = $1 and deleted_at is null and (remote_id = $2
    or (remote_id is null and lower(name) = any($3))) order by remote_id nulls last limit 1 ), recorded as ( insert
    into hint (git_host_id, delivery_id, event, remote_id, at) select $4, $5, $6, $7, $8::timestamptz from known on
    conflict do nothing returning 1 ), named as ( update repository r set remote_id = $9 from known where r.id =
    known.id and known.remote_id is null ), due as ( update repository_look l set wanted = l.wanted + 1, hooked =
    l.wanted + 1 from known where l.repository_id = known.id returning 1 ), former as ( update git_host set
    former_hook_secret_used_at = $10::timestamptz where $11 and id = $12 )
  select exists (select from recorded) as "isNew", exists (select from due) as "isKnown";

-- removeHintsBefore
delete from hint
  where ctid = any (array(select ctid from hint where at < $1 limit $2));
