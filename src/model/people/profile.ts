import { LIMITS } from "../kit/limits.ts";

/** A person as an identity provider describes it. */
export interface Profile {
  issuer: string;
  /** The id of the person at the issuer. With the issuer it identifies the person; the e-mail address never does. */
  subject: string;
  name: string;
  email: string | null;
  /** Empty: the person is in none, or the provider sends none. */
  groups: readonly string[];
}

/** A profile as it was read from claims. */
export interface ReadProfile extends Profile {
  /** The groups beyond those that are read. */
  groupsIgnored: number;
}

/** The claims of an id token, and those of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

export interface ProfileSettings {
  /** The claim that lists groups: "groups". */
  groupsClaim: string;
  /** Domains of e-mail addresses that may sign in; empty: all. */
  domains: readonly string[];
}

/** The reason for which a person cannot sign in, in words for that person. */
export class ProfileRefused extends Error {
  override readonly name = "ProfileRefused";
}

/**
 * Reads the profile from the claims of a verified answer.
 *
 * @throws ProfileRefused if the address has another domain, or if the provider left the groups out because there are
 * too many
 */
export function profileOf(claims: Claims, { groupsClaim, domains }: ProfileSettings): ReadProfile {
  const issuer = identifier(claims["iss"]);
  const subject = identifier(claims["sub"]);
  if (issuer === null || subject === null) throw new ProfileRefused("The identity provider did not name you.");
  const email = text(claims["email"]);
  if (domains.length > 0 && !isOfDomain(email, claims["email_verified"], domains)) {
    throw new ProfileRefused("Your e-mail address is not of a domain that may sign in here, or it is not verified.");
  }
  const name = text(claims["name"]) ?? text(claims["preferred_username"]) ?? email ?? subject;
  return { issuer, subject, name: shortened(name), email, ...groupsOf(claims, groupsClaim) };
}

/** A domain counts only if the provider verified the address: otherwise a person could claim any address. */
function isOfDomain(email: string | null, verified: unknown, domains: readonly string[]): boolean {
  const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return verified === true && domain !== undefined && domains.includes(domain);
}

function groupsOf(claims: Claims, claim: string): Pick<ReadProfile, "groups" | "groupsIgnored"> {
  const value = claims[claim];
  if (value === undefined && isLeftOut(claims, claim)) {
    throw new ProfileRefused(
      "The identity provider left out your groups because they are too many. Let it send only the groups that are assigned to this application.",
    );
  }
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) return { groups: [], groupsIgnored: 0 };
  const names = new Set(list.filter((name): name is string => typeof name === "string" && isGroupName(name)));
  const groups = [...names].slice(0, LIMITS.groupsPerSignIn);
  return { groups, groupsIgnored: names.size - groups.length };
}

/** Entra ID sends the address of a list in place of the list. */
function isLeftOut(claims: Claims, claim: string): boolean {
  const elsewhere = claims["_claim_names"];
  return claims["hasgroups"] === true || (typeof elsewhere === "object" && elsewhere !== null && claim in elsewhere);
}

function isGroupName(name: string): boolean {
  return name !== "" && name.length <= LIMITS.groupNameLength && !name.includes("\0");
}

/** An identifier, which is never changed: two of them may differ by white space alone. `null` if it is none. */
function identifier(value: unknown): string | null {
  const isOne = typeof value === "string" && value !== "" && value.length <= LONGEST;
  return isOne && !value.includes("\0") && value.isWellFormed() ? value : null;
}

/** A text in one line; `null` if it is none. */
function text(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const line = value
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  return line === "" ? null : line;
}

const LONGEST = 512;

function shortened(name: string): string {
  return Array.from(name).slice(0, LIMITS.nameLength).join("");
}
