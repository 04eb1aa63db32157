import { LIMITS } from "../../model/kit/limits.ts";
import { comparePlans, type PlanComparison } from "../../model/plan/compare-plans.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { INDEXED_CHANGES, type IndexedChange, type PlanIndex } from "../../model/plan/plan-index.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError, present } from "../kit/errors.ts";
import { loaderByKey, loaderOfFewBatched } from "../kit/loader.ts";
import { PlanRef } from "../kit/refs.ts";
import { plansLoader } from "./plan.ts";
import { ResourceActionEnum } from "./resource-change.ts";

const most = LIMITS.planIndexesPerRequest;
const planIndexLoader = loaderOfFewBatched<string, PlanIndex>(
  async (domain, caller, ids) => {
    const indexes = await domain.planIndexes(caller, ids);
    return indexes.map((index, at) => present(index, `Index of plan ${ids[at]}`));
  },
  (id) => id,
  { most, path: "index", message: `At most ${most} plans are listed whole by one request.` },
);

interface Compared {
  planIds: readonly [string, string];
  changes: readonly IndexedChange[];
  others: readonly IndexedChange[];
}

/** Compares two plans, once for all fields that ask. */
const comparisonLoader = loaderByKey<Compared, PlanComparison>(
  async (_domain, _caller, keys) => keys.map(({ changes, others }) => comparePlans(changes, others)),
  ({ planIds }) => planIds.join(" "),
);

const IndexedChangeRef = builder.objectRef<IndexedChange>("PlannedChange").implement({
  description: "One change of a plan without its values.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address in the configuration, including modules." }),
    action: t.expose("action", { type: ResourceActionEnum, description: "The action on the object." }),
    module: t.exposeString("module", {
      nullable: true,
      description: "The address of the module. `null` in the root module.",
    }),
    type: t.exposeString("type", { description: "The type of the resource, as its provider names it." }),
    digest: t.exposeString("digest", { description: "The digest of the change, as `ResourceChange.digest` has it." }),
    imported: t.exposeBoolean("imported", { description: "Whether an existing object is imported into the state." }),
    previousAddress: t.exposeString("previousAddress", {
      nullable: true,
      description: "The address before a move. `null` if the object is not moved.",
    }),
  }),
});

const ComparisonRef = builder.objectRef<PlanComparison>("PlanComparison").implement({
  description:
    "The differences between the changes of two plans of a run. Changes belong together by their address, and are equal by their digest.",
  fields: (t) => ({
    added: t.field({
      type: [IndexedChangeRef],
      description: "The changes of resources that the other plan leaves as they are.",
      resolve: ({ added }) => added,
    }),
    removed: t.field({
      type: [IndexedChangeRef],
      description: "The changes of the other plan, of resources that this plan leaves as they are.",
      resolve: ({ removed }) => removed,
    }),
    altered: t.field({
      type: [IndexedChangeRef],
      description: "The changes of resources that both plans change, each in another way. They are those of this plan.",
      resolve: ({ altered }) => altered,
    }),
    sameCount: t.exposeInt("sameCount", {
      description: "The number of changes that a person sees as equal in both plans.",
    }),
  }),
});

async function compare({ loaders }: GraphqlContext, plan: Plan, version: number): Promise<PlanComparison> {
  const refuse = (message: string) => inputError([{ path: ["with"], message }]);
  const plans = await loaders.load(plansLoader, plan.runId);
  const other = plans.find((each) => each.version === version);
  if (other === undefined) {
    throw refuse(`The run made no plan ${version}. Its plans are ${plans.map((each) => each.version).join(", ")}.`);
  }
  const [own, others] = await Promise.all([plan, other].map(({ id }) => loaders.load(planIndexLoader, id)));
  if (own === undefined || others === undefined || own.truncated || others.truncated) {
    throw refuse(`Plans of more than ${INDEXED_CHANGES} changes are not compared.`);
  }
  const compared = { changes: own.changes, others: others.changes };
  return loaders.load(comparisonLoader, { planIds: [plan.id, other.id], ...compared });
}

builder.objectFields(PlanRef, (t) => ({
  index: t.field({
    type: [IndexedChangeRef],
    description: `All changes without their values, destructions first; at most ${INDEXED_CHANGES}, see \`indexTruncated\`. For at most ${most} plans in a request.`,
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(planIndexLoader, id)).changes,
  }),
  indexTruncated: t.boolean({
    description: `Whether \`index\` lacks changes, because the plan has more than ${INDEXED_CHANGES}. \`resourceChanges\` has all.`,
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(planIndexLoader, id)).truncated,
  }),
  comparison: t.field({
    type: ComparisonRef,
    description:
      "The differences from another plan of the run. INVALID_INPUT if the run made no such plan, or one of the two has more changes than an index.",
    args: {
      with: t.arg.int({ required: true, description: "The version of the other plan. It may be newer or older." }),
    },
    resolve: (plan, args, context) => compare(context, plan, args.with),
  }),
}));
