-- aloneWithLogMonths
select pg_try_advisory_lock(hashtext('holdpoint log months')) as alone;
select pg_advisory_unlock(hashtext('holdpoint log months'));

-- listLogMonths
select c.relname as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM [(]'([^']*)'[)]$$))[1] as from,
    (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$TO [(]'([^']*)'[)]$$))[1] as to
  from pg_class p
  left join pg_inherits i on i.inhparent = p.oid
  left join pg_class c on c.oid = i.inhrelid
  where p.relname = 'log_batch'
  and p.relnamespace = current_schema()::regnamespace
  and p.relkind = 'p'
  order by 3 nulls last;

-- dropLeftBound
select c.relname as name
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where k.conname = 'log_batch_part'
  and k.connamespace = current_schema()::regnamespace;

-- newestLoggedRun
select max(run_id) as id
  from "log_batch";

-- cutLogMonths
begin;
set local lock_timeout = 1500;
lock table run in share row exclusive mode;
lock table log_batch in access exclusive mode;
alter table "log_batch" drop constraint if exists log_batch_part;
alter table "log_batch" add constraint log_batch_part check (true and run_id < 'run_z') not valid;
commit;
begin;
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
alter table "log_batch" validate constraint log_batch_part;
commit;
begin;
set local lock_timeout = 1500;
lock table run in share row exclusive mode;
lock table log_batch in access exclusive mode;
alter table log_batch rename to "log_batch_before_a";
alter index log_batch_pkey rename to "log_batch_before_a_pkey";
create table log_batch ( like "log_batch_before_a" including defaults including storage, primary key (run_id,
    last_line), foreign key (run_id) references run ) partition by range (run_id);
alter table log_batch attach partition "log_batch_before_a" for
  values
  from (minvalue) to ('run_z');
alter table "log_batch_before_a" drop constraint log_batch_part;
create table "log_batch_a" partition of log_batch for
  values
  from ('run_z') to ('run_zz');
create table "log_batch_rest" partition of log_batch for
  values
  from ('run_zz') to (maxvalue);
commit;

-- cutLogMonths: again
begin;
set local lock_timeout = 1500;
lock table run in share row exclusive mode;
lock table log_batch in access exclusive mode;
alter table "log_batch_rest" drop constraint if exists log_batch_part;
alter table "log_batch_rest" add constraint log_batch_part check (run_id >= 'run_zz' and run_id < 'run_zzz') not valid;
commit;
begin;
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
alter table "log_batch_rest" validate constraint log_batch_part;
commit;
begin;
set local lock_timeout = 1500;
lock table run in share row exclusive mode;
lock table log_batch in access exclusive mode;
alter table log_batch detach partition "log_batch_rest";
alter table "log_batch_rest" rename to "log_batch_b";
alter index "log_batch_rest_pkey" rename to "log_batch_b_pkey";
alter table log_batch attach partition "log_batch_b" for
  values
  from ('run_zz') to ('run_zzz');
alter table "log_batch_b" drop constraint log_batch_part;
create table "log_batch_rest" partition of log_batch for
  values
  from ('run_zzz') to (maxvalue);
commit;

-- logMonthBytes
select pg_total_relation_size($1::regclass) as bytes;

-- dropLogMonth
begin;
set local lock_timeout = 1500;
lock table run in share row exclusive mode;
lock table log_batch in access exclusive mode;
select 1
  from log_head h
  where "h"."run_id" >= $1
  and "h"."run_id" < $2
  and h.last_line > 0
  and h.expired_at is null
  limit 1;
drop table "log_batch_a";
commit;

-- listLogKeepers
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
select o.slug, count(*) as logs
  from log_head h
  join run r on r.id = h.run_id
  join organization o on o.id = r.organization_id
  where "h"."run_id" >= $1
  and "h"."run_id" < $2
  and "r"."id" >= $3
  and "r"."id" < $4
  and (r.finished_at is null or h.last_line > 0 and h.expired_at is null and (o.log_days is null or r.finished_at >=
      $5::timestamptz(3) - make_interval(days => o.log_days)))
  group by o.slug
  order by o.slug;

-- expireLogs
update log_head
  set expired_at = $1
  where run_id = any (array( select h.run_id from log_head h where "h"."run_id" >= $2 and "h"."run_id" < $3 and
      h.run_id > $4 and h.last_line > 0 and h.expired_at is null order by h.run_id limit $5 for update ))
  returning run_id;
delete from run_mask m
  using run r
  where r.id = any($1)
  and m.run_id = r.id
  and r.kind <> 'PLAN';
