import { LRUCache } from "lru-cache";
import { atMost } from "../../model/kit/entry-limit.ts";
import type { Place } from "../../model/people/place.ts";

/** An entry takes about 200 bytes, and the text of the row that its ids are parts of: mostly 400, at most 1024. */
const MOST = 20_000;

/**
 * Remembers the places of objects by id, from rows that were read anyway. Permission checks then need no statement of
 * their own. When a workspace or a project has moved, everything is forgotten.
 */
export class KnownPlaces {
  /** No `Map`: when full, it takes 12 us to find its oldest entry behind those that were removed. */
  readonly #places: LRUCache<string, Place>;
  #generation = 0;

  constructor(most: number = MOST) {
    this.#places = new LRUCache(atMost(most));
  }

  /** Counts how often everything was forgotten. A read takes it at its beginning. */
  get generation(): number {
    return this.#generation;
  }

  get(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /**
   * Adds an entry; evicts the one that was used least recently beyond the limit. A row of a read that began before a move
   * is not remembered.
   */
  note(id: string, { organizationId, projectId, workspaceId }: Place, generation: number): void {
    if (generation !== this.#generation || this.#places.has(id)) return;
    // A copy, so that the map does not keep the whole row alive.
    this.#places.set(id, { organizationId, projectId, workspaceId });
  }

  forget(): void {
    this.#generation += 1;
    this.#places.clear();
  }
}
