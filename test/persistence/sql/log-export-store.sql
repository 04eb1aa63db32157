-- measureWindow
select coalesce(sum(bytes), 0)::bigint as "bytes", coalesce(sum(last_line - first_line + 1), 0)::bigint as "lines"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4;

-- measureWindow: of an attempt
select coalesce(sum(bytes), 0)::bigint as "bytes", coalesce(sum(last_line - first_line + 1), 0)::bigint as "lines"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  and "phase" = $5
  and "attempt" = $6;

-- findBatchAt
select "last_line", (through - size)::bigint as "before"
  from (select "last_line", bytes + $1::bigint * (last_line - first_line + 1) as "size", sum(bytes + $2::bigint *
      (last_line - first_line + 1)) over (order by last_line) as "through" from "log_batch" where "run_id" = $3 and
      "last_line" >= $4 and "first_line" <= $5 and "last_line" < $6) as "sized"
  where "through" > $7
  order by "last_line"
  limit $8;

-- findTail
select "first_line", "last_line"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  order by "last_line" desc
  limit $5;

-- readEdge
select "first_line", "phase", "attempt", "body"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  order by "last_line" asc
  limit $5;

-- readEdge: the last one
select "first_line", "phase", "attempt", "body"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  order by "last_line" desc
  limit $5;

-- readBatches
select "last_line", "first_line", "phase", "attempt", "body"
  from "log_batch"
  where "run_id" = $1
  and "last_line" >= $2
  and "first_line" <= $3
  and "last_line" < $4
  order by "last_line"
  limit $5;
