import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";

const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/** Compiles a regular expression of RE2, which takes time that is linear in the text. Throws if it is none. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
}
