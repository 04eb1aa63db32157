import { inject } from "vitest";

/**
 * Gives the cases over which a test walks: all of them in `npm run test:walks`; in `npm test` a few, spread evenly from the
 * first one to the last.
 */
export function walk<const Case>(cases: readonly Case[], few: number): Case[] {
  if (inject("walks") || few >= cases.length) return [...cases];
  const step = few === 1 ? 0 : (cases.length - 1) / (few - 1);
  const chosen = Array.from({ length: few }, (_, index) => Math.round(index * step));
  return cases.filter((_, index) => chosen.includes(index));
}
