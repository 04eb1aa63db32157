/** Makes answers comparable: a server that is fast because its answer differs does not count. */
import { isDeepStrictEqual } from "node:util";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** PostGraphile's names, and what they are called elsewhere. */
const RENAMED: Readonly<Record<string, string>> = {
  workspaceByRowId: "workspace",
  runByRowId: "run",
  allRuns: "runs",
  runsByWorkspaceId: "runs",
  phasesByRunId: "phases",
  workspaceByWorkspaceId: "workspace",
  actorByCreatedBy: "createdBy",
  rowId: "id",
};
const INSTANTS = new Set(["createdAt", "startedAt", "finishedAt"]);
/** Each server has its own; how many there are is compared. */
const CURSORS = new Set(["cursor", "endCursor"]);
const SHOWN_CHARACTERS = 400;

export function isSameAnswer(one: string, other: string): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** @throws Error with both where the answers differ */
export function mustBeSame(name: string, answer: string, expected: string): void {
  if (isSameAnswer(answer, expected)) return;
  const [found, wanted] = [answer, expected].map((text) => JSON.stringify(comparable(text)).slice(0, SHOWN_CHARACTERS));
  throw new Error(`${name} answers something else: ${found} in place of ${wanted}`);
}

function comparable(text: string): Json {
  const answer: Json = JSON.parse(text);
  return simplified("", answer);
}

function simplified(key: string, value: Json): Json {
  if (isList(value)) return value.map((item) => simplified("", item));
  if (typeof value === "string" && INSTANTS.has(key)) return Date.parse(value);
  if (CURSORS.has(key)) return value === null ? null : "cursor";
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value);
  // A connection of which only the nodes were asked for is a list.
  if (names.length === 1 && names[0] === "nodes") return simplified("", value["nodes"] ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known = RENAMED[name] ?? name;
      return [known, simplified(known, field)];
    }),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
