/** The functions and variables of rules in CEL. */
import { type CelEnv, celEnv } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { compilePattern } from "../kit/pattern.ts";

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

/** Creates the standard functions of CEL with its extension for strings. Patterns are of RE2: linear in the text. */
export function createCelEnvironment(): CelEnv {
  return celEnv({
    funcs: strings,
    re2: {
      compile(pattern) {
        const compiled = compilePattern(pattern);
        return { test: (text) => compiled.matcher(text).find() };
      },
    },
  });
}
