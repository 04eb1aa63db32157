import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { placeOfScope, SIGHT_OF_SCOPE } from "../../model/people/grant.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findScopes } from "../../persistence/people/access-store.ts";
import type { InputCheck } from "../kit/input.ts";

/** Checks the parts of the tree to which a token is reduced, which the caller must see; `null`: none were given. */
export async function checkScopes(
  check: InputCheck,
  tx: Transaction,
  caller: ActorCaller,
  ids: readonly string[] | null,
): Promise<void> {
  if (ids === null) return;
  const most = LIMITS.scopesPerToken;
  check.require(ids.length > 0 && ids.length <= most, "scopeIds", `must be 1 to ${most}, or absent.`);
  if (ids.length > most) return;
  const kinds = new Set(["organization", "project", "workspace"]);
  const isScope = (id: string): boolean => kinds.has(idKind(id) ?? "");
  const found = new Set(
    (await findScopes(tx, ids.filter(isScope))).map((scope) => {
      if (!can(caller, SIGHT_OF_SCOPE[scope.type], placeOfScope(scope))) return "";
      if (scope.type === "organization") return scope.organizationId;
      return scope.type === "project" ? scope.projectId : scope.type === "workspace" ? scope.workspaceId : "";
    }),
  );
  for (const [index, id] of ids.entries()) {
    check.require(
      found.has(id),
      `scopeIds.${index}`,
      "must be the id of an organization, a project or a workspace that you may read.",
    );
  }
}
