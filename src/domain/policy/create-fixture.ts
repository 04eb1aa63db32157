import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { contextOfInput } from "../../model/policy/neutral-context.ts";
import type { PolicyFixture } from "../../model/policy/policy-fixture.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import { violates } from "../../persistence/database/database.ts";
import { lockPolicySet } from "../../persistence/policy/policy-set-store.ts";
import { insertPolicyFixture, listPolicyFixtures } from "../../persistence/policy/policy-fixture-store.ts";
import { commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { readPlanInput } from "./plan-input.ts";
import { noSuchPlan, requirePlanDocument } from "./plan-subject.ts";
import { onPolicySetInSteps } from "./policy-set-command.ts";
import { checkPolicyName } from "./rule-input.ts";

export interface CreateFixtureInput {
  policySetId: string;
  planId: string;
  name: string;
}

/** Copies the document of a plan, with what is known beside it, for the tests of a set. */
export function createPolicyFixture(
  deps: Deps,
  caller: ActorCaller,
  { policySetId, planId, name }: CreateFixtureInput,
): Promise<PolicyFixture> {
  const spec = {
    ...onPolicySetInSteps(policySetId),
    name: "createPolicyFixture",
    words: "making fixtures of policy sets",
  } as const;
  return commandInSteps(deps, caller, spec, async (set: PolicySet, check) => {
    checkPolicyName(check, "name", name);
    check.done();
    await requirePlanDocument(deps.database, caller, planId);
    const at = deps.clock().toISOString();
    const input = await readPlanInput(deps, planId, { point: "PLAN", at });
    if (input === null) throw noSuchPlan();
    const body = input.document;
    const blob = { id: deps.newId("blob"), kind: "DOCUMENT", workspaceId: null, body, createdAt: at } as const;
    const fixture: PolicyFixture = {
      id: deps.newId("policyFixture"),
      setId: set.id,
      name,
      planId,
      blobId: blob.id,
      context: contextOfInput(input.context),
      createdById: caller.actor.id,
      createdAt: at,
    };
    return deps.blobs.bring(blob, (put) =>
      deps.database.transaction(async (tx) => {
        if ((await lockPolicySet(tx, set.id)) === null) throw notFound("policy set");
        const [fixtures = []] = await listPolicyFixtures(tx, [set.id]);
        const most = LIMITS.fixturesPerPolicySet;
        if (fixtures.length >= most) {
          throw invalidField("policySetId", `has ${most} fixtures, which is the limit. Delete one first.`);
        }
        await deps.blobs.insert(tx, put);
        await insertPolicyFixture(tx, fixture);
        return fixture;
      }),
    );
  }).catch((error: unknown) => {
    if (!violates(error, "policy_fixture_set_id_name_key")) throw error;
    throw new UserError("NAME_TAKEN", `The policy set already has a fixture "${name}". Choose another name.`);
  });
}
