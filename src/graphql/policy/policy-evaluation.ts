/** The judgements of policies about the plans of runs, and what they found. */
import type { PolicyEvaluation, PolicyResult } from "../../model/policy/policy-evaluation.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { inEpoch, numberPosition } from "../kit/cursor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { PolicyEvaluationRef, policyEvaluationLoader, RunRef, runLoader } from "../kit/refs.ts";
import { PolicyEvaluationStatusEnum, PolicyResultStatusEnum } from "./evaluation-enums.ts";
import { EnforcementLevelEnum, PolicyPointEnum } from "./policy-enums.ts";
import { PolicyTraceLineRef } from "./trace-line.ts";

const evaluationsLoader = loaderOf((domain, caller, ids) => domain.policyEvaluationsOfRuns(caller, ids));
const resultLoader = loaderById(["policyResult"], (domain, caller, ids) => domain.policyResults(caller, ids));

export const PolicyResultRef = builder.objectRef<PolicyResult>("PolicyResult");
addNode("policyResult", "PolicyResult", resultLoader);
PolicyResultRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description:
    "A violation of a policy, an error in place of its judgement, or a demand for approvals. Secrets are masked.",
  interfaces: [NodeRef],
  fields: (t) => ({
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    rule: t.exposeString("rule", { description: "The rule of the policy; its name if it has one rule." }),
    level: t.expose("level", {
      type: EnforcementLevelEnum,
      description: "The effect of the result. For an error it follows from `PolicySet.onError`.",
    }),
    stopsAutoApply: t.exposeBoolean("stopsAutoApply", {
      description: "Whether it stops auto-apply at the level ADVISORY.",
    }),
    status: t.expose("status", { type: PolicyResultStatusEnum, description: "The status." }),
    message: t.exposeString("message", { description: "The finding, in words." }),
    addresses: t.exposeStringList("addresses", { description: "The addresses of the resources that it is about." }),
    addressesInferred: t.exposeBoolean("addressesInferred", {
      description: "Whether the addresses were found in the message, because the policy names none.",
    }),
    remediation: t.exposeString("remediation", {
      nullable: true,
      description: "The remedy. `null` if the policy gives none.",
    }),
    trace: t.field({
      type: [PolicyTraceLineRef],
      nullable: true,
      description: "Why: parts of the expression with their values. `null` for compiled policies.",
      resolve: ({ trace }) => (trace === null ? null : [...trace]),
    }),
  }),
});

/** A result with its position in the evaluation. */
type PlacedResult = PolicyResult & { position: number };
const ResultEdgeRef = edgeRef<PlacedResult>("PolicyResult", "result");
const ResultConnectionRef = connectionRef<PlacedResult>(
  "PolicyResult",
  "A page of results, in the order of the policies.",
);
builder.objectField(ResultEdgeRef, "node", (t) =>
  t.field({ type: PolicyResultRef, description: "The result.", resolve: (edge) => edge.node }),
);
builder.objectField(ResultConnectionRef, "edges", (t) =>
  t.field({ type: [ResultEdgeRef], description: "The results.", resolve: (connection) => connection.edges }),
);

addNode("policyEvaluation", "PolicyEvaluation", policyEvaluationLoader);
PolicyEvaluationRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description:
    "The judgement of one version of a policy set about one plan of a run, or about the run before it was created.",
  interfaces: [NodeRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run. `null` if it was deleted.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    planVersion: t.exposeInt("planVersion", {
      description: "The version of the plan that is judged. 0 at RUN_CREATE.",
    }),
    point: t.expose("point", { type: PolicyPointEnum, description: "The moment at which the policies are asked." }),
    shadow: t.exposeBoolean("isShadow", {
      description: "Whether it is recorded and decides nothing: the version is SHADOW.",
    }),
    status: t.expose("status", { type: PolicyEvaluationStatusEnum, description: "The status." }),
    passed: t.exposeInt("passed", { description: "The number of policies that found nothing." }),
    droppedResults: t.exposeInt("dropped", {
      description: "The number of results beyond the bound of a policy, which are not stored.",
    }),
    results: t.field({
      type: ResultConnectionRef,
      description: "The findings of the policies, in their order.",
      args: {
        ...pageArgs(),
        statuses: t.arg({ type: [PolicyResultStatusEnum], description: "Only these statuses. Absent: all." }),
      },
      resolve: async ({ id }, args, context) => {
        const name = inEpoch(context, `results of ${id}`);
        const statuses = args.statuses ?? [];
        const request = toPageRequest(args, { name, position: numberPosition });
        const page = await context.domain.listPolicyResults(context.caller, id, statuses, request);
        return toConnection(name, page, ({ position }) => position);
      },
    }),
    error: t.exposeString("error", {
      nullable: true,
      description: "Why it could not be judged. `null` if it could.",
    }),
    cpuMs: t.exposeInt("cpuMs", {
      nullable: true,
      description: "The CPU time of the policies. `null` before its end.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Since when the run waits for it." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ended. `null` before.",
    }),
  }),
});

builder.objectField(RunRef, "policyEvaluations", (t) =>
  t.field({
    type: [PolicyEvaluationRef],
    description: "The judgements of policies about the run and its plans, oldest first.",
    args: {
      point: t.arg({ type: PolicyPointEnum, description: "Only at this moment." }),
      shadow: t.arg.boolean({
        description: "Only those of shadow versions, or only those that decide. Absent: all.",
      }),
    },
    resolve: async ({ id }, { point, shadow }, { loaders }) => {
      const all: PolicyEvaluation[] = await loaders.load(evaluationsLoader, id);
      return all
        .filter((one) => (point ?? one.point) === one.point)
        .filter((one) => (shadow ?? one.isShadow) === one.isShadow);
    },
  }),
);
