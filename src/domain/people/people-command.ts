import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockOrganizationIfAny } from "../../persistence/organization/organization-store.ts";

/** The subject of commands that add something to an organization, whose row they lock. */
export function onOrganization(organizationId: string) {
  return {
    subjectId: organizationId,
    noun: "organization",
    find: async (tx: Transaction) =>
      idKind(organizationId) === "organization" ? lockOrganizationIfAny(tx, organizationId) : null,
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
  } as const;
}
