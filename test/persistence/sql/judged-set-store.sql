-- findJudgedSet
select "set_id", "dialect", "on_error", "needs_whole_plan", "policies"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "policy_set_version"."id" = $1;
