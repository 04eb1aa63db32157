/**
 * Checks that change nothing that can be seen when they are open, by the end of their names, each with the reason.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  somewhere: "It spares a look-up to callers without the permission at any place; the check at the place repeats it.",
};
