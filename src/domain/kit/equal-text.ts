import { timingSafeEqual } from "node:crypto";

/** Compares two texts in a time that does not depend on where they differ; their lengths are no secret. */
export function isEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
