-- lockServiceAccount
select "id", "kind", "name", "organization_id"
  from "actor"
  where "id" = $1
  and "kind" = $2
  and "workspace_id" is null
  and "disabled_at" is null
  for no key update;

-- insertTrustRule
insert into "trust_rule" ("id", "actor_id", "issuer", "audience", "subject", "claims", "max_seconds", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- lockTrustRule
select "trust_rule".*, "actor"."organization_id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "trust_rule"."id" = $1
  for no key update of "trust_rule";

-- findTrustRules
select "trust_rule".*, "actor"."organization_id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "trust_rule"."id" in ($1);

-- listTrustRules
select "trust_rule".*, "actor"."organization_id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "actor_id" in ($1)
  order by "trust_rule"."id";

-- isIssuerTrusted
select "trust_rule"."id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "issuer" = $1
  and "actor"."disabled_at" is null
  limit $2;

-- listTrustRulesOfIssuer
select "trust_rule".*, "actor"."organization_id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "issuer" = $1
  and "audience" = any($2::text[])
  and "actor"."disabled_at" is null
  order by "trust_rule"."id"
  limit $3;

-- listTrustRulesOfIssuer: of a machine user
select "trust_rule".*, "actor"."organization_id"
  from "trust_rule"
  inner join "actor" on "actor"."id" = "trust_rule"."actor_id"
  where "trust_rule"."deleted_at" is null
  and "issuer" = $1
  and "audience" = any($2::text[])
  and "actor"."disabled_at" is null
  and "actor_id" = $3
  order by "trust_rule"."id"
  limit $4;

-- noteTrustRule
update "token"
  set "trust_rule_id" = $1
  where "id" = $2;

-- isExchangedToken
select "id"
  from "token"
  where "id" = $1
  and "trust_rule_id" is not null;

-- revokeTokensOfTrustRule
update "token"
  set "revoked_at" = $1
  where "trust_rule_id" = $2
  and "revoked_at" is null
  and "expires_at" > $3
  returning "id";

-- markTrustRuleDeleted
update "trust_rule"
  set "deleted_at" = $1
  where "id" = $2;

-- removeExchangedTokens
delete from token
  where id in ( select id from token where trust_rule_id is not null and expires_at < $1 order by expires_at limit $2
      );
