/** The text by which people filter runs, in the words of any vendor. Pure: no page, no API. */
import { visible } from "../parts/visible.ts";
import type { BlockerKind, DialectFilter, RunFilter, RunKind, RunOutcome, RunStatus } from "../generated/graphql.ts";

/** A part of the text with the filter that it means, or why it means none. */
export interface Term {
  /** The part as it was written. */
  readonly text: string;
  readonly meaning: string;
  /** `null`: the part is not understood, and nothing is filtered by it. */
  readonly filter: RunFilter | null;
}

export interface RunQuery {
  readonly terms: readonly Term[];
  readonly filter: RunFilter;
}

/** An actor that a name means. */
export interface NamedActor {
  readonly id: string;
  readonly name: string;
}

/** The facts that a text depends on. */
export interface QueryContext {
  readonly viewerId: string;
  /** The actors with a name in them, by that name as it was written; absent: they are not known yet. */
  readonly actors: ReadonlyMap<string, readonly NamedActor[]>;
  /** The instant from which durations such as `7d` count back, in milliseconds since the epoch. */
  readonly now: number;
}

const KINDS: readonly RunKind[] = ["APPLY", "DEPLOY", "DESTROY", "PLAN", "TASK", "UNLOCK"];
const OUTCOMES: readonly RunOutcome[] = [
  "APPLIED",
  "APPLY_SKIPPED",
  "DESTROYED",
  "NO_CHANGES",
  "PERFORMED",
  "PLANNED",
  "UNLOCKED",
];
/** The kinds of blockers, by the word that people type. */
const BLOCKERS: Readonly<Record<string, readonly BlockerKind[]>> = {
  check: ["CHECK_PENDING"],
  freeze: ["FREEZE_WINDOW"],
  limit: ["ORGANIZATION_LIMIT", "DRIFT_LIMIT"],
  lock: ["WORKSPACE_LOCKED"],
  pause: ["WORKSPACE_PAUSED"],
  run: ["WORKSPACE_BUSY", "UPSTREAM_RUN"],
  runner: ["NO_RUNNER"],
  soak: ["SOAKING"],
  time: ["SCHEDULED_AT"],
};
const DIALECTS = [
  "amnify",
  "hcp",
  "smartDeploy",
  "spacelift",
  "forgecroftPlan",
  "forgecroftApply",
  "forgecroftUnlock",
] as const;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The value of `by:` that means the viewer. */
const ME = "me";
/** A name that means more actors is cut in the list of meanings. */
const NAMES_SHOWN = 3;

type Meaning = (value: string, context: QueryContext) => { meaning: string; filter: RunFilter } | string;

/** The words before a colon, with the shortest ones that people type. */
const WORDS: Readonly<Record<string, Meaning>> = {
  ws: (value) => ({ meaning: `in the name of the workspace: ${value}`, filter: { workspaceSearch: value } }),
  by: (value, { viewerId, actors }) => {
    if (value === ME) return { meaning: "created by you", filter: { createdByIds: [viewerId] } };
    const found = actors.get(value);
    if (found === undefined) return "the name is being looked up";
    if (found.length === 0) return "you may see no person or machine user of this name";
    const names = found.slice(0, NAMES_SHOWN).map(({ name }) => visible(name));
    const more = found.length > NAMES_SHOWN ? ` or ${found.length - NAMES_SHOWN} more` : "";
    return { meaning: `created by ${names.join(" or ")}${more}`, filter: { createdByIds: found.map(({ id }) => id) } };
  },
  kind: (value) => {
    const kind = KINDS.find((known) => known === nameOf(value));
    return kind === undefined ? `one of ${KINDS.join(", ")}` : { meaning: kind, filter: { kinds: [kind] } };
  },
  outcome: (value) => {
    const outcome = OUTCOMES.find((known) => known === nameOf(value));
    return outcome === undefined
      ? `one of ${OUTCOMES.join(", ")}`
      : { meaning: `ended ${outcome}`, filter: { outcomes: [outcome] } };
  },
  status: (value) => ({ meaning: `is ${nameOf(value)}`, filter: { statuses: statusesOf<RunStatus>(value) } }),
  blocked: (value) => {
    const word = value.toLowerCase();
    const kinds = Object.hasOwn(BLOCKERS, word) ? BLOCKERS[word] : undefined;
    return kinds === undefined
      ? `one of ${Object.keys(BLOCKERS).join(", ")}`
      : { meaning: `blocked by: ${kinds.join(" or ")}`, filter: { blockerKinds: [...kinds] } };
  },
  label: (value) => ({ meaning: `label ${value}`, filter: { labels: [value] } }),
  since: (value, { now }) => {
    const [, count, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(value) ?? [];
    const size = UNITS[unit];
    if (count === undefined || size === undefined) return "a number and m, h, d or w, as in since:7d";
    const createdAfter = new Date(now - Number(count) * size).toISOString();
    return { meaning: `created in the last ${count} ${unit}`, filter: { createdAfter } };
  },
  ...Object.fromEntries(DIALECTS.map((dialect) => [dialect.toLowerCase(), statusIn(dialect)])),
};

/** A status in the words of a vendor. */
function statusIn(dialect: (typeof DIALECTS)[number]): Meaning {
  return (value) => {
    const dialectFilter: DialectFilter = { [dialect]: statusesOf(value) };
    return { meaning: `${nameOf(value)} in the words of ${dialect}`, filter: { dialect: dialectFilter } };
  };
}

/** A status as a person wrote it. A newer server may have more than this page knows: it refuses a wrong one by its name. */
function statusesOf<Status extends string>(value: string): Status[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the server checks it
  return [nameOf(value) as Status];
}

const nameOf = (value: string): string => value.toUpperCase().replaceAll("-", "_");

/** Reads a text. Its parts are joined by AND; words without a colon are searched for in messages and workspaces. */
export function readRunQuery(text: string, context: QueryContext): RunQuery {
  const terms = partsOf(text).map((part) => termOf(part, context));
  const words = terms.filter(({ meaning }) => meaning === WORD).map(({ text: word }) => withoutQuotes(word));
  const filter = terms.reduce((known: RunFilter, term) => joined(known, term.filter ?? {}), {});
  return { terms, filter: words.length === 0 ? filter : { ...filter, search: words.join(" ") } };
}

/** Lists the names of actors in a text, each once. */
export function namesIn(text: string): string[] {
  const values = partsOf(text).flatMap((part) => /^by:(.+)$/i.exec(part)?.[1] ?? []);
  return [...new Set(values.map(withoutQuotes))].filter((name) => name !== "" && name !== ME);
}

/** Two kinds, or two labels, are in one list; of other words the last one counts. */
function joined(known: RunFilter, next: RunFilter): RunFilter {
  const lists = Object.entries(next).flatMap(([name, value]) => {
    const former: unknown = Reflect.get(known, name);
    return Array.isArray(former) && Array.isArray(value) ? [[name, [...former, ...value]]] : [];
  });
  return { ...known, ...next, ...Object.fromEntries(lists) };
}

const WORD = "in the message, or the name of the workspace";

/** Splits at spaces that are not within quotes. */
const partsOf = (text: string): string[] => text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];

const withoutQuotes = (text: string): string => text.replaceAll('"', "");

function termOf(text: string, context: QueryContext): Term {
  const destroys = /^destroys>(\d{1,6})$/.exec(text)?.[1];
  if (destroys !== undefined) {
    const minDestructions = Number(destroys) + 1;
    return { text, meaning: `destroys at least ${minDestructions}`, filter: { minDestructions } };
  }
  const [, word, value] = /^([A-Za-z]+):(.+)$/.exec(text) ?? [];
  if (word === undefined || value === undefined) return { text, meaning: WORD, filter: {} };
  const meaningOf = Object.hasOwn(WORDS, word.toLowerCase()) ? WORDS[word.toLowerCase()] : undefined;
  if (meaningOf === undefined) {
    return { text, meaning: `not understood: use ${Object.keys(WORDS).join(":, ")}: or plain words`, filter: null };
  }
  const found = meaningOf(withoutQuotes(value), context);
  return typeof found === "string" ? { text, meaning: `not understood: ${found}`, filter: null } : { text, ...found };
}
