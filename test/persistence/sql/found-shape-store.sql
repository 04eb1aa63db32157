-- setFoundShape
update "workspace"
  set "found_shape" = $1, "found_start_command" = $2
  where "id" = $3;
