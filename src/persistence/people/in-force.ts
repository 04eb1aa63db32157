/** The columns that come with a credential in force, beside its own. */
import type { AccessVersion } from "../../model/people/access-version.ts";
import { type Identification, IDENTIFICATIONS } from "../../model/people/identification.ts";
import type { Sponsor } from "../../model/people/sponsor.ts";
import { wordOrNull } from "../database/closed-set.ts";
import { ACCESS_VERSION } from "./access-store.ts";
import { SPONSOR, type SponsorRow, toSponsor } from "./sponsor-store.ts";

export const IN_FORCE = ["actor.identified_by", ...SPONSOR, ...ACCESS_VERSION] as const;

export interface InForceColumns extends SponsorRow {
  identified_by: string | null;
  access_version: number;
  access_moves: number;
}

/** The version of rights of the moment in which a credential was read, and who its owner is. */
export interface InForceFacts {
  accessVersion: AccessVersion;
  /** How it is known which person the owner is; `null`: by tokens alone, or it is a machine user. */
  identifiedBy: Identification | null;
  sponsor: Sponsor | null;
}

export function toInForceFacts(row: InForceColumns): InForceFacts {
  return {
    accessVersion: { version: row.access_version, moves: row.access_moves },
    identifiedBy: wordOrNull(IDENTIFICATIONS, row.identified_by),
    sponsor: toSponsor(row),
  };
}
