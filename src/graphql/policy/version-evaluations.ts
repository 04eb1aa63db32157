/** The evaluations of a version over all runs: a shadow is judged by them before it counts. */
import type { EvaluationCounts, PolicyEvaluation } from "../../model/policy/policy-evaluation.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { PolicyEvaluationRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { PolicyEvaluationStatusEnum } from "./evaluation-enums.ts";
import { policyVersionLoader, PolicyVersionRef } from "./policy-version.ts";

const countsLoader = loaderOf<EvaluationCounts>((domain, caller, ids) => domain.evaluationCounts(caller, ids));

const CountsRef = builder.objectRef<EvaluationCounts>("PolicyEvaluationCounts").implement({
  description: "The number of judgements of a version about plans of runs that the caller may read.",
  fields: (t) => ({
    total: t.exposeInt("total", { description: "All, with those that are not finished or were canceled." }),
    passed: t.exposeInt("passed", { description: "Those in which no policy found anything." }),
    warned: t.exposeInt("warned", { description: "Those with violations at the level ADVISORY, and no others." }),
    failed: t.exposeInt("failed", {
      description:
        "Those with other violations, or with demands for approvals: a shadow would have held up these runs.",
    }),
    errored: t.exposeInt("errored", { description: "Those in which a policy could not be judged." }),
  }),
});

const EdgeRef = edgeRef<PolicyEvaluation>("PolicyEvaluation", "evaluation");
const ConnectionRef = connectionRef<PolicyEvaluation>("PolicyEvaluation", "A page of evaluations, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: PolicyEvaluationRef, description: "The evaluation.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The evaluations.", resolve: (connection) => connection.edges }),
);

builder.objectFields(PolicyVersionRef, (t) => ({
  evaluationCounts: t.field({
    type: CountsRef,
    extensions: requiredPermissions("RUN_READ"),
    description: "The number of its judgements about plans of runs that the caller may read.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(countsLoader, id),
  }),
  evaluations: t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("RUN_READ"),
    description: "Its judgements about plans of runs that the caller may read, newest first.",
    args: {
      ...pageArgs(),
      statuses: t.arg({ type: [PolicyEvaluationStatusEnum], description: "Only these statuses. Absent: all." }),
    },
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `evaluations of ${id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      const given = { versionId: id, statuses: args.statuses ?? [] };
      return toConnection(name, await domain.listEvaluationsOfVersion(caller, given, request), (one) => one.id);
    },
  }),
}));

builder.objectField(PolicyEvaluationRef, "version", (t) =>
  t.field({
    type: PolicyVersionRef,
    nullable: true,
    extensions: LEAVES_WORKSPACE,
    description:
      "The version of the policy set that judged. `null` if its set was deleted, or the caller may not read policies of the organization.",
    resolve: ({ versionId }, _args, { loaders }) => loaders.load(policyVersionLoader, versionId),
  }),
);
