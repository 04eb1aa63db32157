import type { Place } from "../../model/people/grant.ts";

/** An entry takes about 150 bytes. */
const MOST = 20_000;

/**
 * Remembers the places of objects by id, from rows that were read anyway. Permission checks then need no statement of
 * their own. An object never moves to another organization or workspace.
 */
export class KnownPlaces {
  readonly #places = new Map<string, Place>();
  readonly #most: number;

  constructor(most: number = MOST) {
    this.#most = most;
  }

  get(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** Adds an entry; evicts the oldest beyond the limit. */
  note(id: string, { organizationId, workspaceId }: Place): void {
    if (this.#places.has(id)) return;
    if (this.#places.size >= this.#most) {
      for (const oldest of this.#places.keys()) {
        this.#places.delete(oldest);
        break;
      }
    }
    // A copy, so that the map does not keep the whole row alive.
    this.#places.set(id, { organizationId, workspaceId });
  }
}
