/** Hits of a search over objects of all kinds, and their order. */
import { ID_PREFIXES, type IdKind } from "../kit/id.ts";

/** The kinds of objects that a search finds, in the order of equally good hits. */
export const SEARCH_KINDS = [
  "workspace",
  "run",
  "project",
  "organization",
  "team",
  "user",
  "machineUser",
  "policySet",
  "promotionPipeline",
  "repository",
  "runnerPool",
] as const satisfies readonly IdKind[];
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** How a text was found in a name, the best way first. */
export const MATCHES = ["EXACT", "PREFIX", "PART"] as const;
export type Match = (typeof MATCHES)[number];

export interface SearchHit {
  id: string;
  kind: SearchKind;
  /** The name of the object. */
  title: string;
  match: Match;
}

/** The beginning of an id: the kind, and the least and the greatest id that begin so. */
export interface IdRange {
  kind: SearchKind;
  from: string;
  to: string;
}

/** Ids with this many characters in common were created within 18 minutes of each other. */
const LEAST_ID_LENGTH = 6;
const ID_LENGTH = 26;
const ID_BEGINNING = /^([a-z]+)_([0-9a-hjkmnp-tv-z]+)$/;

/** Returns the ids that begin with a text, without regard to case; `null` if it is no id of a kind, or too short. */
export function idRange(text: string): IdRange | null {
  const [id = "", prefix = "", digits = ""] = ID_BEGINNING.exec(text.toLowerCase()) ?? [];
  const kind = SEARCH_KINDS.find((one) => ID_PREFIXES[one] === prefix);
  if (kind === undefined || digits.length < LEAST_ID_LENGTH || digits.length > ID_LENGTH) return null;
  const length = prefix.length + 1 + ID_LENGTH;
  return { kind, from: id.padEnd(length, "0"), to: id.padEnd(length, "z") };
}

/**
 * Returns the best hits: exact ones first, then prefixes. Equally good hits of the kinds alternate, so that no kind takes all
 * places. The hits of each kind are in their order. An object that was found twice is there once.
 */
export function bestHits(found: readonly SearchHit[], limit: number): SearchHit[] {
  const counts = new Map<string, number>();
  const numbered = found.map((hit) => {
    const key = `${hit.kind} ${hit.match}`;
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    return { hit, rank: [MATCHES.indexOf(hit.match), number, SEARCH_KINDS.indexOf(hit.kind)] };
  });
  const sorted = numbered.toSorted((a, b) => compare(a.rank, b.rank));
  const byId = new Map<string, SearchHit>();
  for (const { hit } of sorted) if (!byId.has(hit.id)) byId.set(hit.id, hit);
  return [...byId.values()].slice(0, limit);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}
