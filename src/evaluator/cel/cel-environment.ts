/** The functions and variables of rules in CEL. */
import { type CelEnv, celEnv } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";

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

const PATTERNS = 500;

/** Creates the standard functions of CEL with its extension for strings. Patterns are of RE2: linear in the text. */
export function createCelEnvironment(): CelEnv {
  const patterns = new LRUCache<string, RE2JS>({ max: PATTERNS });
  return celEnv({
    funcs: strings,
    re2: {
      compile(pattern) {
        const compiled = patterns.get(pattern) ?? RE2JS.compile(pattern);
        patterns.set(pattern, compiled);
        return { test: (text) => compiled.matcher(text).find() };
      },
    },
  });
}
