/** Functions of regular expressions, in the syntax of RE2: they take time that is linear in the text. */
import { type Matcher, RE2JS } from "re2js";
import { compilePattern } from "../kit/pattern.ts";
import { type Arguments, type Builtins, integerAt, stringAt, undefinedResult } from "./operands.ts";
import type { RegoValue } from "./rego-value.ts";

function patternOf(pattern: string): RE2JS {
  try {
    return compilePattern(pattern);
  } catch {
    throw undefinedResult("not a regular expression");
  }
}

function isValid(args: Arguments): boolean {
  const [pattern] = args;
  if (typeof pattern !== "string") return false;
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

const matches = (args: Arguments): boolean => patternOf(stringAt(args, 0)).matcher(stringAt(args, 1)).find();

interface Match {
  start: number;
  end: number;
  groups: string[];
}

/** Lists up to `limit` matches; a negative limit is none. As in Go, an empty match does not follow another directly. */
function matchesOf(pattern: string, text: string, limit: number): Match[] {
  const expression = patternOf(pattern);
  const matcher = expression.matcher(text);
  const found: Match[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === found.at(-1)?.end) continue;
    const groups = Array.from({ length: expression.groupCount() + 1 }, (_, group) => matcher.group(group) ?? "");
    found.push({ start, end, groups });
  }
  return found;
}

function groupsAt(args: Arguments): string[][] {
  return matchesOf(stringAt(args, 0), stringAt(args, 1), integerAt(args, 2)).map(({ groups }) => groups);
}

function split(args: Arguments): RegoValue {
  const text = stringAt(args, 1);
  const parts: string[] = [];
  let [begin, last] = [0, 0];
  for (const { start, end } of matchesOf(stringAt(args, 0), text, -1)) {
    // An empty match at the beginning splits nothing.
    if (end !== 0) parts.push(text.slice(begin, start));
    [begin, last] = [end, start];
  }
  if (last !== text.length || text === "") parts.push(text.slice(begin));
  return parts;
}

/** Replaces each match by a template with `$1` and `${name}`. */
function replace(args: Arguments): string {
  const [text, template] = [stringAt(args, 0), stringAt(args, 2)];
  const expression = patternOf(stringAt(args, 1));
  const names = expression.namedGroups();
  let result = "";
  let rest = text;
  for (;;) {
    // The rest is matched as a text of its own, as OPA does it.
    const matcher = expression.matcher(rest);
    if (!matcher.find()) return result + rest;
    result += rest.slice(0, matcher.start()) + expand(template, matcher, names, expression.groupCount());
    if (matcher.end() === 0) throw undefinedResult("the pattern matches the empty text");
    rest = rest.slice(matcher.end());
  }
}

function expand(template: string, matcher: Matcher, names: Record<string, number>, count: number): string {
  return template.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    if (name === undefined) return whole === "$$" ? "$" : whole;
    const group = /^\d+$/.test(name) ? Number(name) : Object.hasOwn(names, name) ? names[name] : undefined;
    return group === undefined || group > count ? "" : (matcher.group(group) ?? "");
  });
}

/** Matches a text with a template whose parts between delimiters are regular expressions. */
function templateMatches(args: Arguments): boolean {
  const [template, text, start, end] = [stringAt(args, 0), stringAt(args, 1), stringAt(args, 2), stringAt(args, 3)];
  if (start.length !== 1 || end.length !== 1) throw undefinedResult("delimiters must be one character");
  let pattern = "";
  let [at, depth, begin] = [0, 0, 0];
  for (let index = 0; index < template.length; index++) {
    const character = template.charAt(index);
    if (character === start && depth++ === 0) {
      pattern += RE2JS.quote(template.slice(at, index));
      begin = index + 1;
    } else if (character === end) {
      if (--depth === 0) {
        pattern += `(${template.slice(begin, index)})`;
        at = index + 1;
      }
      if (depth < 0) throw undefinedResult("unbalanced delimiters");
    }
  }
  if (depth !== 0) throw undefinedResult("unbalanced delimiters");
  return patternOf(`^${pattern}${RE2JS.quote(template.slice(at))}$`)
    .matcher(text)
    .find();
}

export const REGEX: Builtins = {
  "regex.match": matches,
  re_match: matches,
  "regex.is_valid": isValid,
  "regex.split": split,
  "regex.replace": replace,
  "regex.template_match": templateMatches,
  "regex.find_n": (args) => groupsAt(args).map(([whole = ""]) => whole),
  "regex.find_all_string_submatch_n": groupsAt,
};
