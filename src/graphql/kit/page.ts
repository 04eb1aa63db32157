import { LIMITS } from "../../model/kit/limits.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import type { InputIssue } from "../../model/kit/user-error.ts";
import { builder } from "./builder.ts";
import { inputError } from "./errors.ts";
import { listCost } from "./list-cost.ts";
import { type ReadPosition, readCursor } from "./cursor.ts";

/** The arguments of a page, by their names in Relay's specification. */
export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** A list that is read in pages. */
export interface PagedList<Position> {
  /** Its name within cursors. */
  name: string;
  position: ReadPosition<Position>;
  max?: number;
  size?: number;
}

/** The four arguments of a connection. `perPoint` items cost one point. */
export function pageArgs(max: number = LIMITS.pageSize, size: number = LIMITS.defaultPageSize, perPoint = 1) {
  const extensions = listCost({ max, size, perPoint });
  return builder.args((t) => ({
    first: t.int({
      extensions,
      description: `The number of items from the beginning of the list; at most ${max}, ${size} by default.`,
    }),
    after: t.string({ description: "Only items that come after the one with this cursor." }),
    last: t.int({
      extensions,
      description: `The number of items from the end of the list; at most ${max}, and not together with \`first\`.`,
    }),
    before: t.string({ description: "Only items that come before the one with this cursor." }),
  }));
}

/** Checks the arguments of a connection. Throws an error with code INVALID_INPUT if they are not valid. */
export function toPageRequest<Position>(args: PageArguments, list: PagedList<Position>): PageRequest<Position> {
  const max = list.max ?? LIMITS.pageSize;
  const issues: InputIssue[] = [];
  const count = (name: "first" | "last"): number | null => {
    const value = args[name] ?? null;
    if (value !== null && value < 0) issues.push({ path: [name], message: "Must be 0 or more." });
    if (value !== null && value > max) issues.push({ path: [name], message: `Must be at most ${max}.` });
    return value;
  };
  const position = (name: "after" | "before"): Position | null => {
    const cursor = args[name] ?? null;
    if (cursor === null) return null;
    const found = readCursor(list.name, cursor, list.position);
    if (found === null) issues.push({ path: [name], message: "Must be a cursor that this list returned." });
    return found;
  };
  const [first, last, after, before] = [count("first"), count("last"), position("after"), position("before")];
  if (first !== null && last !== null) {
    issues.push({ path: ["last"], message: "Give `first` or `last`, not both." });
  }
  if (issues.length > 0) throw inputError(issues);
  return {
    limit: first ?? last ?? list.size ?? LIMITS.defaultPageSize,
    direction: last === null ? "forward" : "backward",
    after,
    before,
  };
}
