-- addBucketDay
begin;
select pg_try_advisory_xact_lock(hashtext('holdpoint health days')) as alone;
set local lock_timeout = 1500;
create table if not exists "health_bucket_d20260104" (like health_bucket including defaults including constraints)
    with (autovacuum_enabled = off);
alter table health_bucket attach partition "health_bucket_d20260104" for
  values
  from ('2026-01-04 00:00:00+00') to ('2026-01-05 00:00:00+00');
commit;

-- listBucketDays
select c.relname as name
  from pg_inherits i
  join pg_class p on p.oid = i.inhparent
  join pg_class c on c.oid = i.inhrelid
  where p.relname = 'health_bucket'
  and p.relnamespace = current_schema()::regnamespace
  order by c.relname;

-- dropBucketDay
begin;
select pg_try_advisory_xact_lock(hashtext('holdpoint health days')) as alone;
set local lock_timeout = 1500;
drop table if exists "health_bucket_d20260104";
commit;

-- removeOtherBuckets
delete from "health_bucket_other"
  where (bucket_at, target_id) in ( select bucket_at, target_id from "health_bucket_other" where bucket_at < $1 limit
      $2 );
