import type { SimulatedPlan, SimulationOutcome } from "../../model/policy/policy-simulation.ts";
import {
  type EarlierJudgement,
  outcomeOf,
  type PolicySimulation,
  type SimulatedFinding,
  type SimulatedJudgement,
  type SimulationCounts,
} from "../../model/policy/policy-simulation.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderByKey } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { RunRef, runLoader } from "../kit/refs.ts";
import { sealedNumbers } from "../kit/sealed-number.ts";
import { creatorField } from "../people/actor.ts";
import { EnforcementLevelEnum } from "../policy/policy-enums.ts";
import { PolicyRuleInputRef, toRules } from "../policy/policy-rule.ts";
import { PolicySetRef, policySetLoader } from "../policy/policy-set.ts";
import { policyVersionLoader, PolicyVersionRef } from "../policy/policy-version.ts";
import { RunFilterRef, toFilter } from "../run/run-list.ts";
import { BulkStateEnum } from "./bulk.ts";

const simulationLoader = loaderById(["policySimulation"], (domain, caller, ids) =>
  domain.policySimulations(caller, ids),
);
const countsLoader = loaderByKey<PolicySimulation, SimulationCounts>(
  (domain, caller, simulations) => domain.simulationCounts(caller, simulations),
  ({ id }) => id,
);

const JUDGED = {
  PASSED: "No policy found anything.",
  WARNED: "Policies found violations at the level ADVISORY, and no others.",
  FAILED: "Policies found violations, or demand approvals.",
  ERRORED: "A policy could not be judged.",
} as const;

const EarlierEnum = describedEnum<EarlierJudgement>("EarlierJudgement", "The judgement of a plan when it was made.", {
  ...JUDGED,
  CANCELED: "The run ended before.",
});

const SimulatedEnum = describedEnum<SimulatedJudgement>("SimulatedJudgement", "The judgement of a plan now.", {
  ...JUDGED,
  UNKNOWN: "The document of the plan was removed, or its runner sent none.",
});

const OutcomeEnum = describedEnum<SimulationOutcome>("SimulationOutcome", "The difference between then and now.", {
  ERROR: "A policy cannot be judged now.",
  NEWLY_DENIED: "It would be held up, and was not.",
  NEWLY_PASSING: "It was held up, and would not be.",
  SAME: "It was held up and would be, or neither.",
  UNKNOWN: "The document of the plan was removed, or its runner sent none.",
});

const FindingRef = builder.objectRef<SimulatedFinding>("SimulatedFinding").implement({
  description: "A violation, or a demand for approvals, that a simulation found.",
  fields: (t) => ({
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    rule: t.exposeString("rule", { description: "The rule of the policy; its name if it has one rule." }),
    level: t.expose("level", { type: EnforcementLevelEnum, description: "The effect of the violation." }),
    message: t.exposeString("message", { description: "The violation in words." }),
    addresses: t.exposeStringList("addresses", {
      description: `The addresses of the resources that it is about; the first ${LIMITS.simulatedAddresses}.`,
    }),
    demandsApprovals: t.boolean({
      description: "Whether it demands approvals, and is no violation.",
      resolve: ({ approvers }) => approvers !== null,
    }),
  }),
});

const ResultRef = builder.objectRef<SimulatedPlan>("PolicySimulationResult").implement({
  description: "One plan of a simulation: then and now.",
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run of the plan. `null` if its workspace was deleted.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    planId: t.exposeID("planId", { description: "The id of the plan." }),
    planVersion: t.exposeInt("planVersion", { description: "The version of the plan." }),
    before: t.expose("before", {
      type: EarlierEnum,
      nullable: true,
      description: "The judgement by the set when the plan was made. `null` if there was none.",
    }),
    after: t.expose("after", {
      type: SimulatedEnum,
      nullable: true,
      description: "The judgement now. `null` if the plan was not reached yet.",
    }),
    outcome: t.field({
      type: OutcomeEnum,
      nullable: true,
      description: "The difference. `null` if the plan was not reached yet.",
      resolve: outcomeOf,
    }),
    findings: t.field({
      type: [FindingRef],
      description: `The current findings of the policies; the first ${LIMITS.simulatedFindings}.`,
      resolve: ({ findings }) => [...findings],
    }),
    error: t.exposeString("error", {
      nullable: true,
      description: "Why a policy cannot be judged. `null` if all can.",
    }),
  }),
});

const EdgeRef = edgeRef<SimulatedPlan>("PolicySimulationResult", "plan");
const ConnectionRef = connectionRef<SimulatedPlan>(
  "PolicySimulationResult",
  "A page of the plans of a simulation, newest run first.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ResultRef, description: "The plan.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The plans.", resolve: (connection) => connection.edges }),
);

addNode("policySimulation", "PolicySimulation", simulationLoader);
const SimulationRef = builder.objectRef<PolicySimulation>("PolicySimulation");
const count = (name: keyof SimulationCounts, description: string) =>
  builder.objectField(SimulationRef, name, (t) =>
    t.int({
      description,
      resolve: async (simulation, _args, { loaders }) => (await loaders.load(countsLoader, simulation))[name],
    }),
  );
SimulationRef.implement({
  extensions: requiredPermissions("POLICY_READ"),
  description:
    "A version, or rules, over the documents of past plans. It changes nothing. It counts and lists plans of runs that the caller may read.",
  interfaces: [NodeRef],
  fields: (t) => ({
    policySet: t.field({
      type: PolicySetRef,
      nullable: true,
      description: "The policy set. `null` if it was deleted.",
      resolve: ({ setId }, _args, { loaders }) => loaders.load(policySetLoader, setId),
    }),
    version: t.field({
      type: PolicyVersionRef,
      nullable: true,
      description: "The version. `null` if rules are simulated that are no version.",
      resolve: ({ versionId }, _args, { loaders }) =>
        versionId === null ? null : loaders.load(policyVersionLoader, versionId),
    }),
    state: t.expose("state", { type: BulkStateEnum, description: "The state." }),
    createdBy: t.field(creatorField("The actor that started it.")),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was started." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it finished or was stopped. `null` if it is running.",
    }),
    results: t.field({
      type: ConnectionRef,
      description: "The plans, newest run first, with those that were not reached yet.",
      args: pageArgs(),
      resolve: async ({ id }, args, { caller, domain, cursorKeyOf }) => {
        const name = `plans of ${id}`;
        // The numbers count the runs that are hidden as well.
        const positions = sealedNumbers(cursorKeyOf, name);
        const request = toPageRequest(args, { name, position: positions.read });
        const page = await domain.listSimulatedPlans(caller, id, request);
        return toConnection(name, page, (plan) => positions.seal(plan.position));
      },
    }),
  }),
});
count("total", "The number of plans.");
count("done", "The number of plans that were judged.");
count("newlyDenied", "The number of plans that would be held up, and were not.");
count("newlyPassing", "The number of plans that were held up, and would not be.");
count("errors", "The number of plans for which a policy cannot be judged.");
count("unknown", "The number of plans whose document was removed, or was never sent.");

/** Builds the success type of a command on a simulation. */
function simulationSuccess(description: string): Success<PolicySimulation> {
  return {
    description,
    fields: (t) => ({
      simulation: t.field({
        type: SimulationRef,
        description: "The simulation as it is now. Read it again by `node`.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}

mutation("simulatePolicySet", {
  description:
    "Judges past plans by a version of a policy set, or by rules, in the background. It changes nothing. It takes the newest plans of runs that match, of workspaces that the set selects and whose plans the caller may approve.",
  argument: "The policies, and the plans.",
  input: {
    description: "The policies to simulate, and the plans to judge.",
    fields: (t) => ({
      policySetId: t.id({ required: true, description: "The policy set, whose selector and dialect count." }),
      versionId: t.id({ description: "A version of the set." }),
      rules: t.field({ type: [PolicyRuleInputRef], description: "Rules in CEL, in place of a version." }),
      filter: t.field({
        type: RunFilterRef,
        required: true,
        description: "Selects runs. It may be empty: all of the organization.",
      }),
      last: t.int({
        required: true,
        defaultValue: 100,
        description: `The number of the newest plans; at most ${LIMITS.simulatedPlans}.`,
      }),
    }),
  },
  success: simulationSuccess("The simulation has begun."),
  run: ({ simulatePolicySet }, caller, { input }) =>
    simulatePolicySet(caller, {
      policySetId: input.policySetId,
      versionId: input.versionId ?? null,
      rules: input.rules ? toRules(input.rules) : null,
      filter: toFilter(null, { filter: input.filter }),
      last: input.last,
    }),
});

mutation("stopPolicySimulation", {
  description: "Stops a simulation. Plans that were judged keep their results; one that has ended does not change.",
  argument: "The simulation to stop.",
  input: {
    description: "The simulation to stop.",
    fields: (t) => ({ simulationId: t.id({ required: true, description: "The simulation." }) }),
  },
  success: simulationSuccess("No further plan is judged."),
  run: ({ stopPolicySimulation }, caller, { input }) => stopPolicySimulation(caller, input),
});
