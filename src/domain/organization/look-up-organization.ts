import { idKind } from "../../model/kit/id.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";

/** Finds the organization that a caller names; an id of another kind does not reach the database. */
export async function lookUpOrganization(reader: Reader, id: string): Promise<Organization | null> {
  const [organization = null] = idKind(id) === "organization" ? await findOrganizations(reader, [id]) : [];
  return organization;
}
