import { LIMITS } from "../../model/kit/limits.ts";
import type { InputCheck } from "../kit/input.ts";

const SLUG = new RegExp(`^[a-z0-9](?:[a-z0-9-]{0,${LIMITS.slugLength - 2}}[a-z0-9])?$`);

/** Checks a slug. Slugs are used in addresses, so they allow the characters of host names. */
export function checkSlug(check: InputCheck, slug: string): void {
  check.require(
    SLUG.test(slug),
    "slug",
    `must have 1 to ${LIMITS.slugLength} characters: small letters, digits and "-", the first and the last no "-".`,
  );
}

export function checkOrganizationName(check: InputCheck, name: string): void {
  const short = name.trim() !== "" && name.length <= LIMITS.nameLength && !/\p{Cc}/u.test(name);
  check.require(short, "name", `must have 1 to ${LIMITS.nameLength} characters on one line.`);
}

export function checkMaxRunsPerPush(check: InputCheck, most: number): void {
  const ok = most >= 1 && most <= LIMITS.maxRunsPerPush;
  check.require(ok, "maxRunsPerPush", `must be from 1 to ${LIMITS.maxRunsPerPush}.`);
}

export function checkConcurrencyLimit(check: InputCheck, limit: number): void {
  const ok = limit >= 1 && limit <= LIMITS.concurrencyLimit;
  check.require(ok, "concurrencyLimit", `must be from 1 to ${LIMITS.concurrencyLimit}.`);
}
