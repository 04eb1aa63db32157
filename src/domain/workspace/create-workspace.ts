import { can, type TokenCaller } from "../../model/permission.ts";
import { LIMITS } from "../../model/limits.ts";
import { notFound, UserError } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import { violates } from "../../persistence/database.ts";
import { findOrganizationBySlug } from "../../persistence/organization-store.ts";
import { insertWorkspace } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { CreateWorkspaceInput } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck, isStorable } from "../input.ts";
import { resolveSource } from "../source/resolve-source.ts";

const NAME = new RegExp(`^[a-z0-9][a-z0-9_.-]{0,${LIMITS.nameLength - 1}}$`);

/**
 * Creates a workspace; names are unique within the organization. Whether a repository can be reached shows with its
 * first run.
 */
export function createWorkspace(deps: Deps, caller: TokenCaller, input: CreateWorkspaceInput): Promise<Workspace> {
  return recorded(deps, caller, "createWorkspace", input.name, async () => {
    const { database } = deps;
    const slug = input.organization;
    const organization = isStorable(slug) ? await findOrganizationBySlug(database, slug) : null;
    if (organization === null || !can(caller, "organization:read")) throw notFound("organization");
    authorize(caller, "workspace:create", "creating workspaces");
    checkInput(input);
    const source = await resolveSource(deps, input.source);
    try {
      return await database.transaction((tx) =>
        insertWorkspace(tx, {
          id: deps.newId("workspace"),
          organizationId: organization.id,
          name: input.name,
          description: input.description,
          source,
          planApproval: input.planApproval,
          autoApply: input.autoApply,
          createdAt: deps.clock().toISOString(),
        }),
      );
    } catch (error) {
      if (!violates(error, "workspace_name")) throw error;
      throw new UserError("NAME_TAKEN", `The organization has a workspace "${input.name}" already.`);
    }
  });
}

function checkInput(input: CreateWorkspaceInput): void {
  const check = new InputCheck();
  check.require(
    NAME.test(input.name),
    "name",
    `must have 1 to ${LIMITS.nameLength} characters: small letters, digits, "-", "_" and ".", the first a letter or digit.`,
  );
  check.text("description", input.description);
  check.require(input.autoApply === "NEVER", "autoApply", "must be NEVER for now.");
  check.done();
}
