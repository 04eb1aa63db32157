/** The functions and variables of rules in CEL. */
import { type CelEnv, celEnv, type CelFunc, celFunc, CelScalar } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { compilePattern } from "../kit/pattern.ts";
import type { Sanitizer } from "../kit/sanitizer.ts";

/** Variables of each rule. */
export const PLAN_VARIABLES = [
  "plan",
  "run",
  "workspace",
  "organization",
  "actor",
  "approvals",
  "cost",
  "custom",
  "previousRun",
  "holdpoint",
] as const;

/** Variables of a rule that is asked for each resource. */
export const RESOURCE_VARIABLES = ["resource", ...PLAN_VARIABLES] as const;

/**
 * Creates the standard functions of CEL with its extension for strings; with a `sanitizer`, also `sanitized`. Patterns are
 * of RE2: linear in the text.
 */
export function createCelEnvironment(sanitizer?: Sanitizer): CelEnv {
  return celEnv({
    funcs: sanitizer === undefined ? strings : [...strings, sanitizedBy(sanitizer)],
    re2: {
      compile(pattern) {
        const compiled = compilePattern(pattern);
        return { test: (text) => compiled.matcher(text).find() };
      },
    },
  });
}

function sanitizedBy(sanitizer: Sanitizer): CelFunc {
  return celFunc("sanitized", [CelScalar.STRING], CelScalar.STRING, (text) => sanitizer.digest(text));
}
