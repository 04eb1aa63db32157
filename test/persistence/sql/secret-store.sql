-- lockSecret
select "id", case when "secret_hash" = $1 then null else "former_until" end as "until"
  from "token"
  where ("secret_hash" = $2 or ("former_hash" = $3 and "former_until" > $4))
  for no key update;
