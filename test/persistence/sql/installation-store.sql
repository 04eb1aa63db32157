-- checkServerVersion
select current_setting('server_version_num') as number, current_setting('server_version') as text;

-- checkMasterKey
begin;
insert into "installation" ("key_check")
  values ($1)
  on conflict do nothing;
select "key_check"
  from "installation";
commit;

-- masterKeyFits
select "key_check"
  from "installation";

-- isReachable
select 1;
