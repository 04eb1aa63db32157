/** The input of policies that were written for other products: one document in the wrapping of each. */
import type { Json } from "../../model/plan/json.ts";
import type { PolicyContext } from "../../model/policy/evaluator.ts";
import type { PolicyDialect } from "../../model/policy/policy-set.ts";
import { resourcesOf } from "../document/changed-resource.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { type Fields, fieldOf, isAutomatic, isFields, numberOf, tagsOf } from "./fields.ts";
import { spaceliftInput } from "./spacelift-input.ts";

interface Given {
  context: PolicyContext;
  document: PlanDocument;
}

const INPUTS: Readonly<Record<PolicyDialect, (given: Given) => Json>> = {
  HOLDPOINT: ({ context, document }) => ({ ...context, ...document }),
  HCP: ({ context, document }) => ({ plan: document.plan, run: hcpRun(context) }),
  SPACELIFT: ({ context, document }) => spaceliftInput(context, document),
  SCALR: ({ context, document }) => ({ tfplan: document.plan, tfrun: scalrRun(context) }),
  CONFTEST: ({ document }) => document.plan,
  FORGECROFT: ({ context, document }) => ({
    workspace: context.workspace,
    run: context.run,
    org: context.organization,
    user: context.actor,
    plan_changes: resourcesOf(document.plan).map(({ value }) => value),
  }),
};

/** Builds the input of a policy. */
export function dialectInput(dialect: PolicyDialect, given: Given): Json {
  return INPUTS[dialect](given);
}

function hcpRun({ run, workspace, organization, actor }: PolicyContext): Fields {
  const repository = fieldOf(workspace, "repository");
  return {
    id: fieldOf(run, "id"),
    created_at: fieldOf(run, "createdAt"),
    created_by: fieldOf(actor, "name"),
    message: fieldOf(run, "message"),
    commit_sha: fieldOf(run, "commit"),
    is_destroy: run["kind"] === "DESTROY",
    refresh: true,
    refresh_only: run["refreshOnly"] === true,
    replace_addrs: fieldOf(run, "replace"),
    speculative: run["kind"] === "PLAN",
    target_addrs: fieldOf(run, "targets"),
    project: fieldOf(workspace, "project"),
    variables: variablesOf(run),
    organization: { name: fieldOf(organization, "name") },
    workspace: {
      id: fieldOf(workspace, "id"),
      name: fieldOf(workspace, "name"),
      created_at: fieldOf(workspace, "createdAt"),
      description: fieldOf(workspace, "description"),
      execution_mode: "remote",
      auto_apply: isAutomatic(workspace),
      tags: tagsOf(workspace),
      tag_bindings: bindingsOf(workspace),
      working_directory: fieldOf(workspace, "directory"),
      vcs_repo:
        repository === null
          ? null
          : {
              identifier: repository,
              display_identifier: repository,
              branch: fieldOf(workspace, "branch"),
              ingress_submodules: false,
            },
    },
  };
}

/** HCP's words for the categories of variables. */
const CATEGORIES: Readonly<Record<string, string>> = { ENGINE: "input", ENVIRONMENT: "environment" };

function variablesOf(run: Fields): Fields {
  const variables = fieldOf(run, "variables");
  if (!isFields(variables)) return {};
  const named = Object.entries(variables).map(([name, variable]) => {
    const category = fieldOf(variable, "category");
    const shown = typeof category === "string" ? (CATEGORIES[category] ?? category) : null;
    return [name, { category: shown, sensitive: fieldOf(variable, "sensitive") }] as const;
  });
  return Object.fromEntries(named);
}

function bindingsOf(workspace: Fields): Json[] {
  const labels = fieldOf(workspace, "labels");
  return isFields(labels) ? Object.entries(labels).map(([key, value]) => ({ key, value })) : [];
}

/** Triggers of git hosts. */
const PUSHED: ReadonlySet<Json> = new Set(["PUSH", "TAG", "PULL_REQUEST"]);

function scalrRun({ run, workspace, actor, cost }: PolicyContext): Fields {
  const repository = fieldOf(workspace, "repository");
  return {
    id: fieldOf(run, "id"),
    source: PUSHED.has(fieldOf(run, "trigger")) ? "vcs" : "api",
    message: fieldOf(run, "message"),
    is_destroy: run["kind"] === "DESTROY",
    is_dry: run["kind"] === "PLAN",
    created_at: fieldOf(run, "createdAt"),
    created_by: { name: fieldOf(actor, "name"), username: fieldOf(actor, "name"), email: fieldOf(actor, "email") },
    environment: { name: fieldOf(fieldOf(workspace, "project"), "name") },
    workspace: {
      name: fieldOf(workspace, "name"),
      description: fieldOf(workspace, "description"),
      auto_apply: isAutomatic(workspace),
      tags: tagsOf(workspace),
      working_directory: fieldOf(workspace, "directory"),
    },
    vcs:
      repository === null
        ? null
        : {
            repository_id: repository,
            path: fieldOf(workspace, "directory"),
            branch: fieldOf(workspace, "branch"),
            commit: { sha: fieldOf(run, "commit"), message: fieldOf(run, "message") },
            pull_request: null,
          },
    cost_estimate:
      cost === null
        ? null
        : {
            prior_monthly_cost: numberOf(fieldOf(cost, "monthlyBefore")),
            proposed_monthly_cost: numberOf(fieldOf(cost, "monthlyAfter")),
            delta_monthly_cost: numberOf(fieldOf(cost, "monthlyDelta")),
          },
  };
}
