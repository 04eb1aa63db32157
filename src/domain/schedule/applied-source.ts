/** Runs of the configuration that was applied last: they show or undo what changed behind its back, and nothing new. */
import type { MemberOrder } from "../changeset/open-changeset.ts";
import type { ScheduledAction } from "../../model/schedule/schedule.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { type AppliedSource, findAppliedSources } from "../../persistence/schedule/applied-source-store.ts";

/**
 * Gives each member the source and the variables that were applied last, and leaves out workspaces without them. A check
 * for drift is also left out while another run may change something.
 */
export async function membersWithAppliedSource(
  reader: Reader,
  members: readonly MemberOrder[],
  action: ScheduledAction,
): Promise<{ members: MemberOrder[]; problems: string[] }> {
  const sources = await findAppliedSources(
    reader,
    members.map(({ workspaceId }) => workspaceId),
  );
  const reasons = new Map<string, number>();
  const withSource = members.flatMap((member, index): MemberOrder[] => {
    const source = sources[index] ?? null;
    const reason = refusalOf(source, action);
    if (source !== null && source.blobId !== null && reason === null) {
      const { blobId, workFolder, inputsDigest, commitUrl, revision, runId: variablesOfRunId } = source;
      return [{ ...member, source: { blobId, workFolder, inputsDigest, commitUrl, revision, variablesOfRunId } }];
    }
    const words = reason ?? NEVER_APPLIED;
    reasons.set(words, (reasons.get(words) ?? 0) + 1);
    return [];
  });
  const problems = [...reasons].map(
    ([words, count]) => `${count === 1 ? "1 workspace" : `${count} workspaces`}: ${words}`,
  );
  return { members: withSource, problems };
}

const NEVER_APPLIED = "nothing is applied.";

function refusalOf(source: AppliedSource | null, action: ScheduledAction): string | null {
  if (action === "DETECT_DRIFT" && source?.isBusy === true) return "a run is live that may change something.";
  if (source === null || source.blobId === null || source.outcome === "DESTROYED") return NEVER_APPLIED;
  if (source.outcome !== "APPLIED" && source.outcome !== "NO_CHANGES") return "the last apply did not succeed.";
  return source.isTargeted ? "the last apply was limited to targets." : null;
}
