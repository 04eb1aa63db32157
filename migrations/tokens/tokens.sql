-- The rotation of tokens, and an end for each of them.

alter table token
  add column rotated_at timestamptz(3),
  add constraint token_rotated check (former_hash is null or rotated_at is not null);
-- Only the admin token of the installation has no end. A token from before keeps working for a year.
update token set expires_at = now() + interval '366 days'
  where expires_at is null and revoked_at is null and id <> 'tok_00000000000000000000000000';
