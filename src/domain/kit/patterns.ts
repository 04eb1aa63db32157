/** Matches paths and refs by patterns that people write, in time that is linear in the text. */
import { LRUCache } from "lru-cache";
import picomatch from "picomatch";
import { RE2JS } from "re2js";

/** Whether a text matches. */
export type Matches = (text: string) => boolean;

/** Brackets of extended globs are matched as they are written. */
const GLOB_OPTIONS = { dot: true, noextglob: true, nonegate: true, strictSlashes: true } as const;

/** Lookaheads keep out the names `.` and `..` and empty ones, which no path of git has. RE2 has no lookaheads. */
const LOOKAHEADS = ["(?!\\.{1,2}(?:\\/|$))", "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "(?=.)"];

const globs = new LRUCache<string, Matches>({ max: 1000 });

/**
 * Compiles a glob of paths: `*` within a folder, `**` over folders. Node's own expressions would try each way to share a
 * text between several `*`. Throws if the glob is not valid.
 */
export function pathPattern(glob: string): Matches {
  const known = globs.get(glob);
  if (known !== undefined) return known;
  const { source } = picomatch.makeRe(glob, GLOB_OPTIONS);
  const matches = compiled(LOOKAHEADS.reduce((text, lookahead) => text.replaceAll(lookahead, ""), source));
  globs.set(glob, matches);
  return matches;
}

/** Returns the folder that a glob names before its first wildcard; `null` for a path without wildcards. */
export function folderOfGlob(glob: string): string | null {
  const { base, isGlob } = picomatch.scan(glob, GLOB_OPTIONS);
  return isGlob ? base : null;
}

/** Compiles a pattern of names: a glob, or a regular expression of RE2 between slashes. Throws if it is not valid. */
export function namePattern(pattern: string): Matches {
  const expression = /^\/(.*)\/$/s.exec(pattern)?.[1];
  return expression === undefined ? pathPattern(pattern) : compiled(expression);
}

/**
 * Compiles a glob of addresses of resources: `*` matches any characters, and everything else itself. Addresses have
 * brackets, quotes and slashes, which globs of paths give a meaning.
 */
export function addressPattern(glob: string): Matches {
  return compiled(
    `(?s)^${glob
      .split("*")
      .map((part) => RE2JS.quote(part))
      .join(".*")}$`,
  );
}

function compiled(expression: string): Matches {
  const found = RE2JS.compile(expression);
  return (text) => found.test(text);
}

/** Describes why a pattern cannot be compiled; `null` if it can. */
export function patternProblem(compile: (pattern: string) => Matches, pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
