-- insertDeliveries
insert into "webhook_delivery" ("id", "webhook_id", "event", "payload", "created_at", "next_attempt_at")
  values ($1, $2, $3, $4, $5, $6);

-- findDeliveries
select "webhook_delivery".*, "webhook"."organization_id", (select project_id from workspace where workspace.id =
    webhook.workspace_id) as "project_id", "webhook"."workspace_id"
  from "webhook_delivery"
  inner join "webhook" on "webhook"."id" = "webhook_delivery"."webhook_id"
  where "webhook_delivery"."id" in ($1);

-- lockDelivery
select *
  from "webhook_delivery"
  where "id" = $1
  for update;

-- insertAttempt
insert into "webhook_attempt" ("delivery_id", "number", "at", "duration_ms", "status_code", "error", "response")
  values ($1, $2, $3, $4, $5, $6, $7);

-- updateDelivery
update "webhook_delivery"
  set "state" = $1, "turn" = $2, "attempt_count" = $3, "round_began" = $4, "next_attempt_at" = $5, "finished_at" = $6
  where "id" = $7;

-- listDeliveries
select *
  from "webhook_delivery"
  where "webhook_id" = $1
  order by "id" desc
  limit $2;

-- listDeliveries: backward, of one state
select *
  from "webhook_delivery"
  where "webhook_id" = $1
  and "state" = $2
  and "id" < $3
  and "id" > $4
  order by "id" asc
  limit $5;

-- listAttempts
select "webhook_attempt".*
  from "webhook_attempt"
  inner join "webhook_delivery" on "webhook_delivery"."id" = "webhook_attempt"."delivery_id"
  where "delivery_id" in ($1)
  and webhook_attempt.number > webhook_delivery.attempt_count - $2
  order by "number";

-- cancelDeliveries
update "webhook_delivery"
  set "state" = $1, "next_attempt_at" = $2, "finished_at" = $3
  where "webhook_id" = $4
  and "state" = $5;

-- pruneDeliveries
delete from "webhook_delivery"
  where "id" in (select "id" from "webhook_delivery" where "finished_at" < $1 limit $2);
