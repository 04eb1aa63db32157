import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { missingProberText } from "../../model/verification/sampling.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findSamplingRunners } from "../../persistence/verification/sampling-store.ts";

/** Returns why no runner sends the probes of a workspace; `null` if one has lately asked for them. */
export async function findMissingProber(reader: Reader, workspaceId: string, at: string): Promise<string | null> {
  const since = instantAfter(at, -LIMITS.runnerOfflineMs);
  return missingProberText(await findSamplingRunners(reader, workspaceId, since));
}
