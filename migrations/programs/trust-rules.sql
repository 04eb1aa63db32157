-- Tokens of another issuer for which a machine user gets a short token.

create table trust_rule (
  id text primary key,
  actor_id text not null references actor,
  issuer text not null,
  audience text not null,
  -- Patterns, in which * matches any text.
  subject text not null,
  claims jsonb not null,
  max_seconds integer not null,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index trust_rule_of_actor on trust_rule (actor_id, id) where deleted_at is null;
create index trust_rule_of_issuer on trust_rule (issuer, audience) where deleted_at is null;

-- A token that a trust rule gave. It is removed some time after its end.
alter table token add column trust_rule_id text references trust_rule;
create index token_of_trust_rule on token (trust_rule_id) where trust_rule_id is not null;
create index exchanged_token_expires on token (expires_at) where trust_rule_id is not null;
