import { expect, it } from "vitest";
import { changesetsFor, entriesOf, type Hit, pagesFor } from "../../../src/console/palette/entries.ts";

const ORGANIZATIONS = [
  { slug: "acme", name: "Acme" },
  { slug: "beta", name: "Beta" },
];
const organization = { __typename: "Organization", id: "org_1", slug: "a b" } as const;
const titlesOf = (text: string, current = "acme"): string[] =>
  pagesFor(text, ORGANIZATIONS, current).map(({ title, note }) => `${title}, ${note}`);

it("finds pages by all words, in any order, those of the current organization first", () => {
  expect(titlesOf("runners")).toEqual(["Runners and pools, Acme", "Runners and pools, Beta"]);
  expect(titlesOf("runners", "beta")[0]).toBe("Runners and pools, Beta");
  expect(titlesOf("beta POLIC")).toEqual(["Policies, Beta"]);
  expect(titlesOf("token")).toEqual(["Account, your tokens, sessions and passkeys"]);
  expect(titlesOf("nothing like it")).toEqual([]);
  expect(titlesOf("")[0]).toMatch(/^Inbox/);
  expect(titlesOf("").length).toBeLessThanOrEqual(8);
});

it.each(["net/work 212", "net/work #212", " net/work#212 "])("takes %j for the number of a run", (text) => {
  const [run] = pagesFor(text, ORGANIZATIONS, "beta");
  expect(run).toMatchObject({ title: "net/work #212", path: "/o/beta/w/net%2Fwork/runs/212" });
});

it.each(["212", "network", "network 0", "network 2x", "a b 212"])("takes %j for no run", (text) => {
  expect(pagesFor(text, ORGANIZATIONS, "acme").some(({ id }) => id === "run-of-text")).toBe(false);
});

it("leads to the page of each object, and leaves out those without one", () => {
  const workspace = { __typename: "Workspace", id: "ws_1", name: "net", organization } as const;
  const hits: Hit[] = [
    { title: "net?", node: { __typename: "Workspace", id: "ws_1", organization } },
    { title: "#7 bump", node: { __typename: "Run", id: "run_1", number: 7, workspace } },
    { title: "set", node: { __typename: "PolicySet", id: "pset_1", organization } },
    { title: "pool", node: { __typename: "RunnerPool", id: "pool_1", organization } },
    { title: "alice", node: { __typename: "User", id: "usr_1" } },
    { title: "project", node: { __typename: "Project", id: "prj_1" } },
  ];
  expect(entriesOf(hits, "acme").map(({ title, note, path }) => [title, note, path])).toEqual([
    ["net?", "workspace", "/o/a%20b/w/net%3F"],
    ["net #7 bump", "run", "/o/a%20b/w/net/runs/7"],
    ["set", "policy set", "/o/a%20b/policies/pset_1"],
    ["pool", "runner pool", "/o/a%20b/runners"],
    ["alice", "user", "/o/acme/people"],
  ]);
  expect(entriesOf(hits, undefined).map(({ title }) => title)).not.toContain("alice");
});

it("finds changesets by all words of their title, by their commit and by their id", () => {
  const changesets = [
    { id: "chs_2", title: "Upgrade the fleet", commit: "4f1c2d9000000000" },
    { id: "chs_1", title: "Fleet: new subnet", commit: null },
  ];
  const found = (text: string) => changesetsFor(text, changesets, "a b").map(({ id }) => id);
  expect(found("fleet")).toEqual(["chs_2", "chs_1"]);
  expect(found("FLEET upgrade")).toEqual(["chs_2"]);
  expect(found("4f1c")).toEqual(["chs_2"]);
  expect(found("chs_1")).toEqual(["chs_1"]);
  expect(found("fleet nothing")).toEqual([]);
  expect(found(" ")).toEqual([]);
  expect(changesetsFor("4f1c", changesets, "a b")).toEqual([
    { id: "chs_2", title: "Upgrade the fleet", note: "changeset, 4f1c2d900000", path: "/o/a%20b/changesets/chs_2" },
  ]);
  const many = Array.from({ length: 9 }, (_, at) => ({ id: `chs_${at}`, title: "Nightly" }));
  expect(changesetsFor("nightly", many, "acme").length).toBe(4);
});
