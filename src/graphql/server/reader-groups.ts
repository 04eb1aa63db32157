import type { ActorCaller } from "../../model/people/permission.ts";
import { fingerprintOf, type ReaderGroup } from "./stream-view.ts";

/** The readers of one subscription, by their rights. */
export class ReaderGroups {
  readonly #groups = new Map<string, ReaderGroup>();

  /** Adds a reader to the group of its rights. */
  enter({ rights, accessVersion }: ActorCaller): ReaderGroup {
    const key = fingerprintOf(rights);
    const group = this.#groups.get(key) ?? { key, rights, accessVersion, readers: 0, last: null, whole: null };
    this.#groups.set(key, group);
    group.readers += 1;
    if (group.accessVersion.version < accessVersion.version) {
      group.accessVersion = accessVersion;
      group.last = null;
    }
    return group;
  }

  leave(group: ReaderGroup): void {
    group.readers -= 1;
    if (group.readers === 0) this.#groups.delete(group.key);
  }
}
