import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findScopes } from "../../persistence/people/access-store.ts";
import type { InputCheck } from "../kit/input.ts";

/** Checks the parts of the tree to which a token is reduced; `null`: none were given. */
export async function checkScopes(check: InputCheck, tx: Transaction, ids: readonly string[] | null): Promise<void> {
  if (ids === null) return;
  const most = LIMITS.scopesPerToken;
  check.require(ids.length > 0 && ids.length <= most, "scopeIds", `must be 1 to ${most}, or absent.`);
  if (ids.length > most) return;
  const kinds = new Set(["organization", "project", "workspace"]);
  const isScope = (id: string): boolean => kinds.has(idKind(id) ?? "");
  const found = new Set(
    (await findScopes(tx, ids.filter(isScope))).map((scope) => {
      if (scope.type === "organization") return scope.organizationId;
      return scope.type === "project" ? scope.projectId : scope.type === "workspace" ? scope.workspaceId : "";
    }),
  );
  for (const [index, id] of ids.entries()) {
    check.require(found.has(id), `scopeIds.${index}`, "must be the id of an organization, a project or a workspace.");
  }
}
