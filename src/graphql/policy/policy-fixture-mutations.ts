import { LIMITS } from "../../model/kit/limits.ts";
import { mutation } from "../kit/mutation.ts";
import { deletedSuccess } from "../kit/success.ts";
import { PolicyFixtureRef } from "./policy-test.ts";

mutation("createPolicyFixture", {
  description: `Copies the document of a plan for the tests of a policy set, which has at most ${LIMITS.fixturesPerPolicySet} fixtures. It takes the permission PLAN_APPROVE on the workspace of the plan.`,
  argument: "The policy set and the plan.",
  input: {
    description: "The policy set and the plan.",
    fields: (t) => ({
      policySetId: t.id({ required: true, description: "The policy set." }),
      planId: t.id({ required: true, description: "The plan, whose document must be stored." }),
      name: t.string({ required: true, description: "The name, unique within the set." }),
    }),
  },
  success: {
    description: "The fixture was made.",
    fields: (t) => ({
      fixture: t.field({ type: PolicyFixtureRef, description: "The fixture.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ createPolicyFixture }, caller, { input }) => createPolicyFixture(caller, input),
});

mutation("deletePolicyFixture", {
  description: "Deletes a fixture. Versions keep the results of their tests.",
  argument: "The fixture to delete.",
  input: {
    description: "The fixture to delete.",
    fields: (t) => ({ fixtureId: t.id({ required: true, description: "The fixture." }) }),
  },
  success: deletedSuccess("The fixture is deleted.", "The id of the fixture."),
  run: ({ deletePolicyFixture }, caller, { input }) => deletePolicyFixture(caller, input),
});
