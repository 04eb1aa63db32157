import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  deletePolicyFixture as deleteRow,
  findPolicyFixtures,
  type PlacedFixture,
} from "../../persistence/policy/policy-fixture-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { placeOfPolicySet } from "./policy-set-command.ts";

/** Deletes a fixture with its document. Versions keep the results of their tests. */
export function deletePolicyFixture(
  deps: Deps,
  caller: ActorCaller,
  { fixtureId }: { fixtureId: string },
): Promise<string> {
  const spec = {
    name: "deletePolicyFixture",
    subjectId: fixtureId,
    noun: "fixture",
    find: async (tx: Transaction) => {
      const [fixture = null] = idKind(fixtureId) === "policyFixture" ? await findPolicyFixtures(tx, [fixtureId]) : [];
      return fixture;
    },
    placeOf: placeOfPolicySet,
    sight: "POLICY_READ",
    permission: "POLICY_WRITE",
    words: "deleting fixtures of policy sets",
  } as const;
  return command(deps, caller, spec, async (tx, fixture: PlacedFixture) => {
    await deleteRow(tx, fixture);
    return fixtureId;
  });
}
