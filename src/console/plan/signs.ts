/** A sign for each action of a plan. An action without one is newer than this page. */
export const SIGNS: Readonly<Record<string, string>> = {
  DELETE: "−",
  REPLACE: "±",
  FORGET: "⊘",
  UPDATE: "~",
  CREATE: "+",
  READ: "?",
  NO_OP: "·",
};
