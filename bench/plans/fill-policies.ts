/** Rows of policies: each organization has one set, whose active version has judged the plan of each run. */

const RUNS = "(select * from run order by id desc limit $COUNT) r";
const ACTOR = "(select min(id) from actor)";
const EVERY_WORKSPACE = `'{"labels": [], "names": [], "kinds": null, "workspaceIds": [], "excludedWorkspaceIds": []}'`;
const OVERRIDERS = `'{"approverIds": [], "teamIds": [], "minimum": 1, "excludeRequester": true, "holds": "PLAN"}'`;
const POLICIES = `'[{"name": "tags", "point": "PLAN", "level": "SOFT_MANDATORY", "stopsAutoApply": true, "types": null}]'`;
/** Exceptions of a set, of which each tenth is in force. */
const EXCEPTIONS = 1000;
/** A judgement in so many has a failure, which someone overrode. */
const PER_FAILURE = 10;

const FILLED = [
  "policy_set",
  "policy_set_version",
  "policy_evaluation",
  "policy_result",
  "run_stage",
  "policy_override",
  "policy_exception",
];

export const POLICY_STATEMENTS = [
  `insert into policy_set (id, organization_id, name, language, dialect, selector, on_error, overriders, created_at)
    select 'pset_' || substr(id, 5), id, 'storage', 'CEL', 'HOLDPOINT', ${EVERY_WORKSPACE}, 'FAIL_CLOSED', ${OVERRIDERS}, now()
    from organization`,
  // Ten versions, of which the newest is active.
  `insert into policy_set_version (id, set_id, number, state, digest, source, policies, created_by, created_at, activated_at,
      activated_by)
    select 'pver_' || lpad(number::text, 2, '0') || substr(id, 6), id, number,
      case when number = 10 then 'ACTIVE' else 'RETIRED' end, md5(id || number), '{"language": "CEL", "rules": []}', ${POLICIES},
      ${ACTOR}, now(), now(), ${ACTOR}
    from policy_set, generate_series(1, 10) number`,
  // One in a thousand is open.
  `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, passed, cpu_ms, created_at,
      finished_at, announced)
    select 'peval_' || substr(r.id, 5), r.id, 'PLAN', 1, 'pver_10' || substr(r.organization_id, 5), false,
      case when hashtext(r.id) % 1000 = 0 then 'PENDING' when r.number % ${PER_FAILURE} = 1 then 'FAILED' else 'PASSED' end, 1, 5,
      r.created_at, case when hashtext(r.id) % 1000 <> 0 then r.created_at end, true
    from ${RUNS}`,
  `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message, addresses,
      fingerprint)
    select 'pres_' || substr(id, 7), id, 1, 'tags', 'tags', 'SOFT_MANDATORY', true, 'FAILED', 'It has no owner.',
      '{aws_instance.a}', decode(md5(id), 'hex')
    from policy_evaluation where status = 'FAILED'`,
  `insert into run_stage (run_id, plan_version, "position", gate, source, name, reason, owner_id, minimum, approver_ids, team_ids,
      exclude_requester, distinct_from_plan_approver, comment_required, machines_count, require_presence)
    select e.run_id, 1, 1, 'PLAN', 'OVERRIDE', 'Override: storage', 'It has no owner.', v.set_id, 1, '{}', '{}', true, false,
      true, false, false
    from policy_evaluation e join policy_set_version v on v.id = e.version_id where e.status = 'FAILED'`,
  `insert into policy_override (run_id, plan_version, judge_id, fingerprint, approval_id, owner_id)
    select e.run_id, 1, e.version_id, p.fingerprint, 'appr_' || substr(e.run_id, 5), v.set_id
    from policy_result p join policy_evaluation e on e.id = p.evaluation_id join policy_set_version v on v.id = e.version_id`,
  `insert into policy_exception (id, organization_id, set_id, policy, rule, address_glob, workspace_ids, reason, state,
      requested_by, requester_counts_as, requested_at, expires_at, decided_by, decided_at)
    select 'pexc_' || lpad(n::text, 4, '0') || substr(id, 6), organization_id, id, 'tags', '*', '*',
      array['ws_' || n], 'It moves in May.', 'APPROVED', ${ACTOR}, ${ACTOR}, now() - interval '60 days',
      now() + case when n % 10 = 0 then interval '30 days' else interval '-30 days' end, ${ACTOR}, now() - interval '60 days'
    from policy_set, generate_series(1, ${EXCEPTIONS}) n`,
  ...FILLED.map((table) => `vacuum analyze ${table}`),
];
