import { LRUCache } from "lru-cache";
import type { AccessVersion } from "../../model/people/access-version.ts";
import type { Grant, Scope } from "../../model/people/grant.ts";
import { atMost } from "../../model/kit/entry-limit.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { projectTree, type ProjectTree } from "../../model/people/project-tree.ts";
import { narrowed, type Rights, restricted, rightsOf } from "../../model/people/rights.ts";
import { permissionsOf, withSights } from "../../model/people/role.ts";
import type { TokenCap } from "../../model/people/token.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findGrantsInForce, findScopes, listProjectNodes } from "../../persistence/people/access-store.ts";
import { batchReads } from "./batch-reads.ts";

/** A credential whose rights are asked for: a token, a run, or a session with no cap. */
export interface RightsHolder {
  credentialId: string;
  /** An actor, or the workspace of a run. */
  principalId: string;
  cap: TokenCap | null;
}

/** Rights with the version by which they were compiled. */
export interface VersionedRights {
  rights: Rights;
  accessVersion: AccessVersion;
  /** When the first of the grants ends; `null`: none does. */
  until: string | null;
}

/** The rights of credentials, compiled once for each version. */
export interface RightsCache {
  /**
   * Returns the rights of a credential that are at least as new as a version. The version comes with the look-up of the
   * credential, so rights that were compiled by it need no statement, and a revoked one is gone at once.
   */
  rightsOf(holder: RightsHolder, version: AccessVersion): Promise<VersionedRights>;
  /** The tree of projects, at least as new as a version. */
  treeAt(version: AccessVersion): Promise<ProjectTree>;
  /** Calls back when something is known to have moved: what is remembered of places is not true any more. */
  onMoved(forget: () => void): void;
}

/** Creates the cache of one server. It holds no time limit and trusts no hint: the version alone decides. */
export function createRightsCache({ database, clock }: { database: Reader; clock: () => Date }): RightsCache {
  const entries = new LRUCache<string, VersionedRights>(atMost(LIMITS.knownRights));
  const listeners: (() => void)[] = [];
  let known: (AccessVersion & { tree: Promise<ProjectTree> }) | null = null;
  const findGrants = batchReads(
    (actorIds) => findGrantsInForce(database, actorIds, clock().toISOString()),
    LIMITS.keysPerRead,
  );

  function treeAt(version: AccessVersion): Promise<ProjectTree> {
    if (known !== null && known.version >= version.version) return known.tree;
    // First, so that what was remembered of places is forgotten before rights of the new tree are used.
    if (known !== null && known.moves < version.moves) for (const forget of listeners) forget();
    const mine = { ...version, tree: listProjectNodes(database).then(projectTree) };
    known = mine;
    // A failed read must not be remembered.
    mine.tree.catch(() => {
      if (known === mine) known = null;
    });
    return mine.tree;
  }

  async function compile(holder: RightsHolder): Promise<VersionedRights> {
    const [found] = await findGrants([holder.principalId]);
    if (found === undefined) throw new Error("The grants of an actor were not read.");
    const { grants, version } = found;
    const tree = await treeAt(version);
    const ends = grants.flatMap(({ until }) => until ?? []).toSorted();
    const rights = await capped(database, grants, holder.cap, tree);
    return { rights, accessVersion: version, until: ends[0] ?? null };
  }

  return {
    treeAt,
    onMoved: (forget) => listeners.push(forget),
    async rightsOf(holder, version) {
      if (known === null || known.moves < version.moves) await treeAt(version);
      const found = entries.get(holder.credentialId);
      const isFresh =
        found !== undefined &&
        found.accessVersion.version >= version.version &&
        (found.until === null || found.until > clock().toISOString());
      if (isFresh) return found;
      const compiled = await compile(holder);
      // The limits of the credential are of the look-up, and may be older than the grants.
      const entry = holder.cap === null ? compiled : { ...compiled, accessVersion: version };
      entries.set(holder.credentialId, entry);
      return entry;
    },
  };
}

/** Compiles grants, reduced to what a token may use of them. */
async function capped(
  database: Reader,
  grants: readonly Grant[],
  cap: TokenCap | null,
  tree: ProjectTree,
): Promise<Rights> {
  const scopes: readonly Scope[] | null =
    cap === null || cap.scopeIds === null ? null : await findScopes(database, cap.scopeIds);
  let rights = rightsOf(scopes === null ? grants : narrowed(grants, scopes, tree), tree);
  if (cap?.role) rights = restricted(rights, permissionsOf(cap.role));
  if (cap?.permissions) rights = restricted(rights, withSights(cap.permissions));
  return rights;
}
