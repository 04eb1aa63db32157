import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { ChangesetChange } from "../../model/run/changeset-event.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";
import type { Deps } from "../kit/deps.ts";

type BatchChange = Extract<ChangesetChange, "RUN_NOT_CREATED" | "SUPERSEDED">;

/** The changes that come with a batch of runs: one event for all workspaces of the batch, not one for each. */
export class BatchChanges {
  readonly #concerned = new Map<BatchChange, Map<string, string[]>>();

  add(changesetId: string, change: BatchChange, workspaceId: string): void {
    const ofChange = this.#concerned.get(change) ?? new Map<string, string[]>();
    this.#concerned.set(change, ofChange);
    ofChange.set(changesetId, [...(ofChange.get(changesetId) ?? []), workspaceId]);
  }

  has(change: BatchChange): boolean {
    return this.#concerned.has(change);
  }

  async record(tx: Transaction, { clock }: Pick<Deps, "clock">, organizationId: string): Promise<void> {
    const common = { at: clock().toISOString(), actorId: SYSTEM_ACTOR_ID, gate: null };
    for (const [change, ofChange] of this.#concerned) {
      for (const [changesetId, workspaceIds] of ofChange) {
        await appendChangesetEvent(tx, organizationId, { ...common, changesetId, change, workspaceIds });
      }
    }
  }
}
