/** The query of the runs that need a person, or the caller. */
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { INBOX_REASONS, type InboxEntry, inboxEntry, type InboxReason } from "../../model/run/inbox.ts";
import { type InboxCandidate, listInboxCandidates } from "../../persistence/run/inbox-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import type { createRunQueries } from "./run-queries.ts";

type Requirements = Pick<ReturnType<typeof createRunQueries>, "approvalRequirements">;

export function createInboxQueries(
  { database, clock }: Pick<Deps, "database" | "clock">,
  { runs }: Pick<Reads, "runs">,
  { approvalRequirements }: Requirements,
) {
  /** Returns the runs of these at whose gate the caller can add an approval. Most have no rules, and take no statement. */
  async function approvable(caller: ActorCaller, candidates: readonly InboxCandidate[]): Promise<Set<string>> {
    const asked = candidates.filter(({ atGate, isApprover }) => atGate !== null && isApprover);
    const open = asked.filter(({ isOpenGate }) => isOpenGate).map(({ runId }) => runId);
    const ruled = asked.filter(({ isOpenGate }) => !isOpenGate).map(({ runId }) => runId);
    const found = permitOrNull(caller, "RUN_READ", await runs(ruled)).filter((run) => run !== null);
    const requirements = await approvalRequirements(caller, found);
    const passable = found.filter((_run, index) =>
      requirements[index]?.some(
        ({ current, satisfied, viewerCanApprove }) => current && !satisfied && viewerCanApprove,
      ),
    );
    return new Set([...open, ...passable.map(({ id }) => id)]);
  }

  return {
    /** Lists the items of the inbox of the caller with one of these reasons, oldest run first. */
    listInbox: async (caller: ActorCaller, reasons: readonly InboxReason[] = INBOX_REASONS): Promise<InboxEntry[]> => {
      const candidates = await listInboxCandidates(database, {
        shown: scopeOf(caller, "RUN_READ"),
        approving: { PLAN: scopeOf(caller, "PLAN_APPROVE"), APPLY: scopeOf(caller, "APPLY_APPROVE") },
        reasons,
        failedAfter: new Date(clock().getTime() - LIMITS.inboxFailureMs).toISOString(),
        limit: LIMITS.inboxRuns,
      });
      const mine = await approvable(caller, candidates);
      return candidates
        .flatMap((facts) => inboxEntry(facts, caller.actor.id, mine.has(facts.runId)) ?? [])
        .filter(({ reason }) => reasons.includes(reason))
        .toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
    },
  };
}
