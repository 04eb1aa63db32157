/** Matches paths and refs by patterns that people write: globs, and regular expressions without backtracking. */
import picomatch from "picomatch";
import { RE2JS } from "re2js";

/** Whether a text matches. */
export type Matches = (text: string) => boolean;

/** Brackets of extended globs may backtrack for ever, and are matched as they are written. */
const GLOB_OPTIONS = { dot: true, noextglob: true, nonegate: true, strictSlashes: true } as const;

/** Compiles a glob of paths: `*` within a folder, `**` over folders. */
function globOf(pattern: string): Matches {
  return picomatch(pattern, GLOB_OPTIONS);
}

/** Compiles a pattern of names: a glob, or a regular expression of RE2 between slashes. Throws if it is not valid. */
export function namePattern(pattern: string): Matches {
  const expression = /^\/(.*)\/$/s.exec(pattern)?.[1];
  if (expression === undefined) return globOf(pattern);
  const compiled = RE2JS.compile(expression);
  return (text) => compiled.test(text);
}

/** Describes why a pattern of names is not valid; `null` if it is. */
export function namePatternProblem(pattern: string): string | null {
  try {
    namePattern(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
