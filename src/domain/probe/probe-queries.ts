import { listProbeSettings } from "../../persistence/probe/probe-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { queryLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

/** Creates the queries of probes. */
export function createProbeQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const ofWorkspaces = reads.below(reads.workspaces, batched(database, listProbeSettings));
  return {
    /** Returns the probes of workspaces in their order, without secrets. */
    probesOfWorkspaces: queryLists("WORKSPACE_READ", ofWorkspaces),
  };
}
