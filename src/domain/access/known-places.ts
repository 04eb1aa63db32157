import type { Place } from "../../model/people/grant.ts";

/** At some 150 bytes each. */
const MOST = 20_000;

/**
 * The places of objects, by id, as they were met in rows that were read anyway: what belongs to an object is checked at
 * its place without another statement. An object never moves to another organization or workspace.
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

  /** The oldest entries make room. */
  note(id: string, { organizationId, workspaceId }: Place): void {
    if (this.#places.has(id)) return;
    if (this.#places.size >= this.#most) {
      for (const oldest of this.#places.keys()) {
        this.#places.delete(oldest);
        break;
      }
    }
    // A copy: a row that is a place would be kept as a whole.
    this.#places.set(id, { organizationId, workspaceId });
  }
}
