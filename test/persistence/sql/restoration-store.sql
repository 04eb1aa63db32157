-- findEpoch
select "epoch"
  from "restoration";

-- renewEpochs
update feed_head
  set epoch = default, settled_before = default;
insert into restoration (epoch)
  values (left(replace(gen_random_uuid()::text, '-', ''), 6))
  on conflict (singleton) do update
  set epoch = excluded.epoch;
