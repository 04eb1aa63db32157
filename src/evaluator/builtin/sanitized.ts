import { type Builtins, stringAt } from "./operands.ts";

/** A function of plan policies of Spacelift: a module gets it by its name. */
export const SANITIZED: Builtins = {
  sanitized: (args, { sanitizer }) => sanitizer.digest(stringAt(args, 0)),
};
