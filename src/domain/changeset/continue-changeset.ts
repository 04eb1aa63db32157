import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import { idKind } from "../../model/kit/id.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { listMemberWorkspaces } from "../../persistence/changeset/changeset-member-store.ts";
import { releaseHeldChangeset } from "../../persistence/changeset/changeset-store.ts";
import { findChangesets } from "../../persistence/changeset/seen-changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorizeUnseen, recorded, requireSomewhere } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Lets the creation of the runs of a changeset begin that was held back because there are so many. It takes the permission
 * to create each of them. A changeset that was not held back stays as it is.
 */
export function continueChangeset(
  deps: Deps,
  caller: ActorCaller,
  { changesetId }: { changesetId: string },
): Promise<SeenChangeset> {
  return recorded(deps, caller, { name: "continueChangeset", subjectId: changesetId }, async () => {
    requireSomewhere(caller, { permission: "RUN_READ", words: "continuing changesets" });
    return deps.database.transaction(async (tx) => {
      const { kind, organizationId } = await getChangeset(tx, caller, changesetId);
      const demand = { permission: permissionToRun(kind), words: "creating runs" } as const;
      for (const workspace of await findWorkspaces(tx, await listMemberWorkspaces(tx, changesetId))) {
        if (workspace !== null) authorizeUnseen(caller, demand, workspacePlace(workspace), "RUN_READ");
      }
      if (await releaseHeldChangeset(tx, changesetId)) {
        const event = { changesetId, at: deps.clock().toISOString(), actorId: caller.actor.id, gate: null };
        await appendChangesetEvent(tx, organizationId, { ...event, change: "CONTINUED", workspaceIds: null });
      }
      return getChangeset(tx, caller, changesetId);
    });
  });
}

async function getChangeset(tx: Transaction, caller: ActorCaller, id: string): Promise<SeenChangeset> {
  const isOne = idKind(id) === "changeset";
  const [changeset = null] = isOne ? await findChangesets(tx, scopeOf(caller, "RUN_READ"), [id]) : [];
  if (changeset === null) throw notFound("changeset");
  return changeset;
}
