/** The entries of the command palette: pages by their names, and what the search of the API has found. Pure. */
import type { SearchQuery } from "../generated/graphql.ts";
import { shortDigest } from "../parts/short-digest.ts";
import { wordsOf } from "../parts/words.ts";

/** Something that can be opened. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  /** The kind of object, or the organization of a page. */
  readonly note: string;
  readonly path: string;
}

interface KnownOrganization {
  readonly slug: string;
  readonly name: string;
}

export type Hit = SearchQuery["search"][number];

/** The pages of an organization, by the end of their paths. */
const PAGES: readonly (readonly [end: string, title: string])[] = [
  ["", "Overview"],
  ["/runs", "Runs"],
  ["/runs?show=waiting", "Runs that wait for people"],
  ["/workspaces", "Workspaces"],
  ["/changesets", "Changesets"],
  ["/pipelines", "Promotion pipelines"],
  ["/schedules", "Schedules"],
  ["/repositories", "Repositories and git hosts"],
  ["/inbound-hooks", "Inbound hooks"],
  ["/runners", "Runners and pools"],
  ["/webhooks", "Webhooks"],
  ["/people", "People, teams, projects and grants"],
  ["/policies", "Policies"],
  ["/checks", "External checks"],
  ["/rules", "Rules"],
];
/** More pages than this are of no use: a text that selects fewer is short to type. */
const MOST_PAGES = 8;

const pathOf = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

function hasAll(text: string, words: readonly string[]): boolean {
  const searched = text.toLowerCase();
  return words.every((word) => searched.includes(word));
}

/**
 * Gives the pages whose titles have all words of a text, those of the current organization first, and the run that a text
 * such as `network 212` names.
 */
export function pagesFor(
  text: string,
  organizations: readonly KnownOrganization[],
  current: string | undefined,
): Entry[] {
  const words = wordsIn(text);
  const sorted = organizations.toSorted((a, b) => Number(b.slug === current) - Number(a.slug === current));
  const pages: Entry[] = [
    { id: "page-inbox", title: "Inbox", note: "runs that wait for people", path: "/inbox" },
    ...sorted.flatMap(({ slug, name }) =>
      PAGES.map(([end, title]) => ({
        id: `page-${slug}${end}`,
        title,
        note: name,
        path: `${pathOf("o", slug)}${end}`,
      })),
    ),
    { id: "page-me", title: "Account", note: "your tokens, sessions and passkeys", path: "/me" },
  ];
  const found = pages.filter(({ title, note }) => hasAll(`${title} ${note}`, words));
  const run = runFor(text, sorted[0]);
  return [...(run === null ? [] : [run]), ...found].slice(0, MOST_PAGES);
}

/** Gives the run of a text such as `network 212` or `network #212`; `null` for other texts. */
function runFor(text: string, organization: KnownOrganization | undefined): Entry | null {
  const [, workspace, number] = /^\s*(\S+?)(?:\s+#?|#)([1-9]\d{0,8})\s*$/.exec(text) ?? [];
  if (organization === undefined || workspace === undefined || number === undefined) return null;
  const { slug, name } = organization;
  const path = pathOf("o", slug, "w", workspace, "runs", number);
  return { id: "run-of-text", title: `${workspace} #${number}`, note: `run, ${name}`, path };
}

interface KnownChangeset {
  readonly id: string;
  readonly title: string;
  readonly commit?: string | null;
}

/** More changesets than this hide what else was found. */
const MOST_CHANGESETS = 4;

/** Gives the changesets of an organization that have all words of a text in their title, their commit or their id. */
export function changesetsFor(text: string, changesets: readonly KnownChangeset[], organization: string): Entry[] {
  const words = wordsIn(text);
  if (words.length === 0) return [];
  return changesets
    .filter(({ id, title, commit }) => hasAll(`${title} ${commit ?? ""} ${id}`, words))
    .slice(0, MOST_CHANGESETS)
    .map(({ id, title, commit }) => ({
      id,
      title,
      note: commit == null ? "changeset" : `changeset, ${shortDigest(commit)}`,
      path: pathOf("o", organization, "changesets", id),
    }));
}

/** Gives the objects that were found and have a page. */
export function entriesOf(hits: readonly Hit[], current: string | undefined): Entry[] {
  return hits.flatMap((hit) => {
    const path = pagePathOf(hit, current);
    if (path === null) return [];
    const { node, title } = hit;
    const isRun = node.__typename === "Run";
    const note = wordsOf(node.__typename.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_"));
    return [{ id: node.id, title: isRun ? `${node.workspace.name} ${title}` : title, note, path }];
  });
}

function pagePathOf({ title, node }: Hit, current: string | undefined): string | null {
  if (node.__typename === "Workspace") return pathOf("o", node.organization.slug, "w", title);
  if (node.__typename === "Organization") return pathOf("o", node.slug);
  if (node.__typename === "Team") return pathOf("o", node.organization.slug, "people");
  if (node.__typename === "PolicySet") return pathOf("o", node.organization.slug, "policies", node.id);
  if (node.__typename === "RunnerPool") return pathOf("o", node.organization.slug, "runners");
  if (node.__typename === "Run") {
    const { name, organization } = node.workspace;
    return pathOf("o", organization.slug, "w", name, "runs", String(node.number));
  }
  const isPerson = node.__typename === "User" || node.__typename === "MachineUser";
  return isPerson && current !== undefined ? pathOf("o", current, "people") : null;
}
