-- hasLabels
-- sends nothing

-- selectLabelledWorkspaces
select "id"
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and ("workspace"."labels" <> '{}' and label_terms("workspace"."labels") @> $2::text[])
  order by "name"
  limit $3;

-- selectLabelledWorkspaces: in a scope
select "id"
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and ("workspace"."labels" <> '{}' and label_terms("workspace"."labels") @> $2::text[])
  and (("organization_id" = any($3::text[]) and "project_id" <> all($4::text[])) or "project_id" = any($5::text[]) or
      "id" = any($6::text[]))
  order by "name"
  limit $7;
