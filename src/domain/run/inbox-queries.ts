/** The query of the runs that need a person, or the caller. */
import { createHash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { INBOX_REASONS, type InboxEntry, inboxEntry, type InboxReason } from "../../model/run/inbox.ts";
import { batch } from "../../persistence/database/batch.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import { type InboxCandidate, listInboxCandidates } from "../../persistence/run/inbox-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import { findCurrentCaller } from "../sign-in/current-caller.ts";
import type { createRunQueries } from "./run-queries.ts";

type Requirements = Pick<ReturnType<typeof createRunQueries>, "approvalRequirements">;

/** Items of an inbox; equal digests mean that none of them has changed. */
export interface InboxReading {
  entries: InboxEntry[];
  digest: string;
}

/** A whole inbox at an instant. */
export interface InboxState {
  digest: string;
  at: string;
  /** The version of rights once it was read. */
  accessVersion: number;
}

export function createInboxQueries(
  deps: Pick<Deps, "database" | "clock" | "rights">,
  { runs }: Pick<Reads, "runs">,
  { approvalRequirements }: Requirements,
) {
  const { database, clock } = deps;

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

  /** Reads the items of the inbox of the caller with one of these reasons, oldest run first. */
  async function readInbox(
    caller: ActorCaller,
    reasons: readonly InboxReason[] = INBOX_REASONS,
  ): Promise<InboxReading> {
    const candidates = await listInboxCandidates(database, {
      shown: scopeOf(caller, "RUN_READ"),
      approving: { PLAN: scopeOf(caller, "PLAN_APPROVE"), APPLY: scopeOf(caller, "APPLY_APPROVE") },
      reasons,
      failedAfter: new Date(clock().getTime() - LIMITS.inboxFailureMs).toISOString(),
      limit: LIMITS.inboxRuns,
    });
    const mine = await approvable(caller, candidates);
    const items = candidates
      .flatMap((facts) => {
        const entry = inboxEntry(facts, caller.actor.id, mine.has(facts.runId));
        return entry === null || !reasons.includes(entry.reason) ? [] : [{ entry, version: facts.version }];
      })
      .toSorted(({ entry: a }, { entry: b }) => (a.runId < b.runId ? -1 : 1));
    const hash = createHash("sha256").update(caller.actor.id);
    for (const { entry, version } of items) hash.update(`\n${entry.runId} ${entry.reason} ${entry.since} ${version}`);
    return { entries: items.map(({ entry }) => entry), digest: hash.digest("base64url") };
  }

  /** Reads the inbox of a credential by its rights of now; `null` if it has ended. */
  async function readState(given: ActorCaller): Promise<InboxState | null> {
    const caller = await findCurrentCaller(deps, given);
    if (caller === null) return null;
    const at = clock().toISOString();
    const { digest } = await readInbox(caller);
    // Read last: a reader that has lost a right meanwhile is refused before it gets anything.
    const { version: accessVersion } = await readAccessVersion(database);
    return { digest, at, accessVersion };
  }

  return {
    readInbox,
    /**
     * Returns the state of the inbox of the caller; `null` if its credential has ended. Few are read at a time, because one
     * change concerns the inboxes of all who are connected. Requests of one credential that wait share a read.
     */
    inboxState: batch<ActorCaller, InboxState | null>((callers) => Promise.all(callers.map(readState)), {
      most: 1,
      atOnce: LIMITS.inboxReadsAtOnce,
      patienceMs: LIMITS.feedReadPatienceMs,
      keyOf: ({ credentialId }) => credentialId,
    }),
  };
}
