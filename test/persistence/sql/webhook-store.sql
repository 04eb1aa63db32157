-- insertWebhook
insert into "webhook" ("id", "organization_id", "workspace_id", "url", "events", "secret_sealed", "description",
    "enabled", "created_by", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- listListeners
select "id"
  from "webhook"
  where "organization_id" = $1
  and "deleted_at" is null
  and "enabled" = true
  and (workspace_id = $2 or (workspace_id is null and not exists ( select from workspace inside join project own on
      own.id = inside.project_id join project line on line.id = any(own.path) and line.isolated where inside.id =
      $3)))
  and $4 = any(events)
  order by "id";

-- listHeardWorkspaces
select w.id
  from workspace w
  where w.id = any($1)
  and exists ( select from webhook h where h.organization_id = w.organization_id and h.deleted_at is null and
      h.enabled and $2 = any(h.events) and (h.workspace_id = w.id or (h.workspace_id is null and not exists ( select
      from workspace inside join project own on own.id = inside.project_id join project line on line.id =
      any(own.path) and line.isolated where inside.id = "w"."id"))) )
  order by w.id;

-- listOrganizationListeners
select "id"
  from "webhook"
  where "organization_id" = $1
  and "workspace_id" is null
  and "deleted_at" is null
  and "enabled" = $2
  and $3 = any(events)
  order by "id";

-- lockWebhook
select "id", "organization_id", "workspace_id", "url", "events", "description", "enabled", "gone_at", "created_by",
    "created_at", (select project_id from workspace where workspace.id = webhook.workspace_id) as "project_id"
  from "webhook"
  where "id" = $1
  and "deleted_at" is null
  for no key update;

-- updateWebhookRow
update "webhook"
  set "url" = $1, "events" = $2, "description" = $3, "enabled" = $4, "gone_at" = $5
  where "id" = $6;

-- replaceWebhookSecret
select "secret_sealed"
  from "webhook"
  where "id" = $1;
update "webhook"
  set "former_secret_sealed" = "secret_sealed", "former_secret_until" = $1, "secret_sealed" = $2
  where "id" = $3;

-- replaceWebhookSecret: the former one ends now
update "webhook"
  set "former_secret_sealed" = $1, "former_secret_until" = $2, "secret_sealed" = $3
  where "id" = $4;

-- findWebhookSecrets
select "secret_sealed", "former_secret_sealed", "former_secret_until"
  from "webhook"
  where "id" = $1;

-- findWebhooks
select "id", "organization_id", "workspace_id", "url", "events", "description", "enabled", "gone_at", "created_by",
    "created_at", (select project_id from workspace where workspace.id = webhook.workspace_id) as "project_id"
  from "webhook"
  where "id" in ($1)
  and "deleted_at" is null;

-- listWebhooksOfOrganizations
select "id", "organization_id", "workspace_id", "url", "events", "description", "enabled", "gone_at", "created_by",
    "created_at", (select project_id from workspace where workspace.id = webhook.workspace_id) as "project_id"
  from "webhook"
  where "deleted_at" is null
  and not exists ( select from workspace gone where gone.id = "webhook"."workspace_id" and gone.deleted_at is not
      null)
  and "organization_id" in ($1)
  order by "id";

-- listWebhooksOfWorkspaces
select "id", "organization_id", "workspace_id", "url", "events", "description", "enabled", "gone_at", "created_by",
    "created_at", (select project_id from workspace where workspace.id = webhook.workspace_id) as "project_id"
  from "webhook"
  where "deleted_at" is null
  and not exists ( select from workspace gone where gone.id = "webhook"."workspace_id" and gone.deleted_at is not
      null)
  and "workspace_id" in ($1)
  order by "id";

-- countWebhooks
select count(*) as "count"
  from "webhook"
  where "organization_id" = $1
  and "deleted_at" is null
  and not exists ( select from workspace gone where gone.id = "webhook"."workspace_id" and gone.deleted_at is not
      null);

-- markWebhookDeleted
update "webhook"
  set "deleted_at" = $1
  where "id" = $2;
