-- setReleased
update "run"
  set "awaits_upstream" = $1, "released_at" = $2
  where "id" = $3;

-- setReleased: with a cause
update "run"
  set "awaits_upstream" = $1, "released_at" = $2, "cause" = $3
  where "id" = $4;
