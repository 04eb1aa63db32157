import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { type PolicyException, showException, type ShownException } from "../../model/policy/policy-exception.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import { findPolicyExceptions, listPolicyExceptions } from "../../persistence/policy/policy-exception-store.ts";
import { findPolicySets } from "../../persistence/policy/policy-set-store.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

/** Queries about exceptions, for callers who may read the policies of the organization. */
export function createExceptionQueries({ database, clock }: Pick<Deps, "database" | "clock">, reads: Reads) {
  const ofSet = ({ organizationId: id }: PolicySet) => organizationPlace({ id });
  const ofException = ({ organizationId: id }: PolicyException) => organizationPlace({ id });
  const sets = reads.byId((ids) => findPolicySets(database, ids), ofSet);
  const exceptions = reads.byId((ids) => findPolicyExceptions(database, ids), ofException);
  return {
    /** Returns exceptions; requesters see theirs in any case. */
    policyExceptions: async (caller: ActorCaller, ids: readonly string[]) =>
      (await exceptions(ids)).map((one) => {
        const seen = one?.permitOwn(caller, "POLICY_READ", ({ requestedById }) => requestedById) ?? null;
        return seen && showException(seen, clock());
      }),
    /** Lists the exceptions of a set, newest first; positions are ids. `expired`: `null` for all. */
    listPolicyExceptions: async (
      caller: ActorCaller,
      { setId, expired }: { setId: string; expired: boolean | null },
      page: PageRequest<string>,
    ): Promise<Page<ShownException>> => {
      const at = clock();
      const read = () => listPolicyExceptions(database, { setId, expired, at: at.toISOString() }, page);
      const found = await reads.pageBelow<PolicyException>(sets, setId, read);
      const seen = found?.permit(caller, "POLICY_READ") ?? toPage(page, []);
      return { ...seen, items: seen.items.map((exception) => showException(exception, at)) };
    },
  };
}
