import { z } from "zod";
import { type InputIssue, invalidInput } from "../../model/kit/user-error.ts";

/** Parses the query of an address. Throws INVALID_INPUT that names every parameter that cannot be used. */
export function parseQuery<Query extends z.ZodObject>(schema: Query, target = "/"): z.output<Query> {
  const given = new URL(target, "http://server").searchParams;
  const names = Object.keys(schema.shape);
  const twice = names.filter((name) => given.getAll(name).length > 1);
  const issues: InputIssue[] = twice.map((name) => ({ path: [name], message: "must be given once." }));
  const result = schema.safeParse(Object.fromEntries(given));
  for (const issue of result.error?.issues ?? []) {
    if (issue.code === "unrecognized_keys") {
      const message = `is unknown. Use ${names.join(", ")}.`;
      issues.push(...issue.keys.map((key) => ({ path: [key], message })));
    } else if (!twice.includes(String(issue.path[0]))) {
      issues.push({ path: issue.path.map(String), message: issue.message });
    }
  }
  if (issues.length > 0 || !result.success) throw invalidInput(issues);
  return result.data;
}

/** Accepts a whole number in digits, from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}.`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
}

/** Accepts one of these words. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be ${words.join(" or ")}.` });
}

/** The largest integer of Postgres. */
export const MAX_INTEGER = 2_147_483_647;
