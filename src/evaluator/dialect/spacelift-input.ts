/** The input of plan policies of Spacelift. */
import type { Json } from "../../model/plan/json.ts";
import type { ResourceAction } from "../../model/plan/plan.ts";
import type { PolicyContext } from "../../model/policy/evaluator.ts";
import { resourcesOf } from "../document/changed-resource.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { type Fields, fieldOf, isAutomatic, tagsOf, textOf } from "./fields.ts";

const NS_PER_MS = 1_000_000;
const TYPES: Readonly<Record<string, string>> = { DEPLOY: "TRACKED", APPLY: "TRACKED", PLAN: "PROPOSED", TASK: "TASK" };
/** A replacement is listed twice. */
const CHANGES: Readonly<Record<ResourceAction, readonly string[]>> = {
  CREATE: ["added"],
  UPDATE: ["changed"],
  DELETE: ["deleted"],
  REPLACE: ["deleted", "added"],
  FORGET: [],
  READ: [],
  NO_OP: [],
};

export function spaceliftInput(context: PolicyContext, { plan, custom }: PlanDocument): Json {
  const { run, workspace, actor, previousRun, holdpoint } = context;
  const commit = commitOf(run, fieldOf(actor, "name"));
  const version = fieldOf(plan, "terraform_version");
  const infracost = fieldOf(custom, "infracost") ?? infracostOf(context.cost);
  return {
    spacelift: {
      run: {
        ...runOf(run, commit),
        type: TYPES[textOf(fieldOf(run, "kind"))] ?? fieldOf(run, "kind"),
        triggered_by: fieldOf(actor, "name"),
        changes: changesOf(plan),
        runtime_config: { terraform_version: version, project_root: fieldOf(workspace, "directory") },
      },
      stack: {
        id: fieldOf(workspace, "name"),
        name: fieldOf(workspace, "name"),
        administrative: false,
        autodeploy: isAutomatic(workspace),
        branch: fieldOf(workspace, "branch"),
        labels: tagsOf(workspace),
        repository: fieldOf(workspace, "repository"),
        namespace: fieldOf(context.organization, "name"),
        project_root: fieldOf(workspace, "directory"),
        terraform_version: version,
        tracked_commit: commit,
      },
      commit,
      request: { timestamp_ns: nsOf(holdpoint.at) },
      // Without a run before, Spacelift leaves the key out.
      ...(previousRun !== null && { previous_run: runOf(previousRun, commitOf(previousRun, null)) }),
    },
    terraform: { resource_changes: fieldOf(plan, "resource_changes") ?? [], terraform_version: version },
    third_party_metadata: { custom, ...(infracost !== null && { infracost }) },
  };
}

/** Returns the sums of an estimate where a hook with Infracost has them; `null` without one. */
function infracostOf(cost: Json): Json {
  if (cost === null) return null;
  const [past = null, after = null, delta = null] = ["monthlyBefore", "monthlyAfter", "monthlyDelta"].map((key) =>
    fieldOf(cost, key),
  );
  const project = {
    pastBreakdown: { totalMonthlyCost: past },
    breakdown: { totalMonthlyCost: after },
    diff: { totalMonthlyCost: delta },
  };
  return { currency: fieldOf(cost, "currency"), projects: [project], totalMonthlyCost: after };
}

function commitOf(run: Json, author: Json): Fields {
  return {
    author,
    branch: fieldOf(run, "branch"),
    created_at: nsOf(fieldOf(run, "createdAt")),
    hash: fieldOf(run, "commit"),
    message: fieldOf(run, "message"),
  };
}

function runOf(run: Json, commit: Fields): Fields {
  const createdAt = nsOf(fieldOf(run, "createdAt"));
  return {
    id: fieldOf(run, "id"),
    branch: fieldOf(run, "branch"),
    based_on_local_workspace: false,
    changes: [],
    commit,
    created_at: createdAt,
    updated_at: createdAt,
    drift_detection: fieldOf(run, "trigger") === "DRIFT",
    flags: [],
    state: fieldOf(run, "status"),
    user_provided_metadata: [],
  };
}

function changesOf(plan: Json): Json[] {
  return resourcesOf(plan).flatMap(({ address, type, action, value }) =>
    CHANGES[action].map((change) => ({
      action: change,
      entity: {
        address,
        name: fieldOf(value, "name"),
        type,
        entity_vendor: "terraform",
        entity_type: "resource",
        data: { values: change === "deleted" ? fieldOf(value, "before") : fieldOf(value, "after") },
      },
      phase: "plan",
    })),
  );
}

/** Nanoseconds since 1970. A double prints the digits of such an instant, with milliseconds, as they are. */
function nsOf(at: Json): Json {
  const ms = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? null : ms * NS_PER_MS;
}
