import { idKind } from "../../model/kit/id.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";

/** Finds an organization by id; `null` without a statement if the id is of another kind. */
export async function lookUpOrganization(reader: Reader, id: string): Promise<Organization | null> {
  const [organization = null] = idKind(id) === "organization" ? await findOrganizations(reader, [id]) : [];
  return organization;
}
