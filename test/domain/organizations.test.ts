import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { claim } from "../support/fake-runner.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const create = (input: object, api = scene.api) => scene.send("createOrganization", { name: "One", ...input }, api);
const DEFAULT = "org_00000000000000000000000000";

describe("an organization", () => {
  it("is created with a limit of 3 unless told otherwise, and has workspaces of its own", async () => {
    const { organization } = await create({ slug: "one" });
    expect(organization).toMatchObject({ slug: "one", name: "One", concurrencyLimit: 3 });
    const workspaceId = await scene.createWorkspace({ organization: "one", name: "shared" });
    await scene.createWorkspace({ name: "shared" });
    const query = `{ organization(slug: "one") { id workspaces { edges { node { id } } } } }`;
    const found = (await scene.api.ask(query)).organization;
    expect(found).toEqual({ id: organization.id, workspaces: { edges: [{ node: { id: workspaceId } }] } });
    const runId = await scene.createRun(workspaceId);
    await scene.claim(runId);
  });

  it.each([
    ["slug", { slug: "" }],
    ["slug", { slug: "Upper" }],
    ["slug", { slug: "-a" }],
    ["slug", { slug: "a-" }],
    ["slug", { slug: "a.b" }],
    ["slug", { slug: "x".repeat(64) }],
    ["name", { slug: "ok", name: " " }],
    ["name", { slug: "ok", name: "a\nb" }],
    ["name", { slug: "ok", name: "x".repeat(91) }],
    ["concurrencyLimit", { slug: "ok", concurrencyLimit: 0 }],
    ["concurrencyLimit", { slug: "ok", concurrencyLimit: 1001 }],
    ["maxRunsPerPush", { slug: "ok", maxRunsPerPush: 0 }],
    ["maxRunsPerPush", { slug: "ok", maxRunsPerPush: 10_001 }],
  ])("refuses a bad %s: %j", async (path, input) => {
    expect(await create(input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [path] }] });
  });

  it("has a slug of its own, and is an admin's to make and to change", async () => {
    const answers = await Promise.all([create({ slug: "twin" }), create({ slug: "twin" })]);
    expect(answers.map(({ code }) => String(code ?? "OK")).toSorted()).toEqual(["NAME_TAKEN", "OK"]);
    const approver = await scene.login("APPROVER");
    expect((await create({ slug: "theirs" }, approver)).code).toBe("FORBIDDEN");
    const update = (organizationId: string, input: object, api = scene.api) =>
      scene.send("updateOrganization", { organizationId, ...input }, api);
    expect((await update(DEFAULT, { name: "x" }, approver)).code).toBe("FORBIDDEN");
    expect((await update("org_1", { name: "x" })).code).toBe("NOT_FOUND");
    expect((await update("org_0000000000000000000000000a", { name: "x" })).code).toBe("NOT_FOUND");
    expect(await update(DEFAULT, { name: null, concurrencyLimit: 0, maxRunsPerPush: null })).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["name"] }, { path: ["maxRunsPerPush"] }, { path: ["concurrencyLimit"] }],
    });
    const changed = await update(DEFAULT, { name: "Renamed" });
    expect(changed.organization).toMatchObject({ slug: "default", name: "Renamed", concurrencyLimit: 1000 });
  });

  it("lets a higher limit wake the runners that wait", async () => {
    await create({ slug: "narrow", concurrencyLimit: 1 });
    const query = `{ organization(slug: "narrow") { id } }`;
    const organizationId = (await scene.api.ask(query)).organization.id;
    const ready = async () => scene.createRun(await scene.createWorkspace({ organization: "narrow" }));
    const first = await ready();
    const second = await ready();
    await scene.claim(first);
    expect(await claim(scene.server.url, scene.server.runnerToken)).toBeNull();
    expect((await scene.run(second, "blockers")).blockers).toMatchObject([{ kind: "ORGANIZATION_LIMIT" }]);
    using watch = scene.server.hub.watch("work");
    watch.reset();
    const woken = watch.changed(30_000);
    await scene.send("updateOrganization", { organizationId, concurrencyLimit: 2 });
    await woken;
    expect((await claim(scene.server.url, scene.server.runnerToken))?.job.run.id).toBe(second);
  });
});

it("lists organizations by slug, in pages of both directions", async () => {
  for (const slug of ["zz-3", "zz-1", "zz-2"]) await create({ slug });
  const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
    organizations(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { slug } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const page = async (args: object) => (await scene.api.ask(query, { ...args })).organizations;
  const slugs = ({ edges }: Data) => edges.map(({ node }: Data) => node.slug);
  const all = await page({ first: 100 });
  expect(slugs(all)).toEqual(slugs(all).toSorted());
  expect(slugs(all)).toEqual(expect.arrayContaining(["default", "zz-1", "zz-2", "zz-3"]));
  const tail = await page({ last: 2 });
  expect(slugs(tail)).toEqual(["zz-2", "zz-3"]);
  expect(tail.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const before = await page({ last: 1, before: tail.pageInfo.startCursor });
  expect(slugs(before)).toEqual(["zz-1"]);
  const head = await page({ first: 1 });
  expect(slugs(head)).toEqual([slugs(all)[0]]);
  expect(slugs(await page({ first: 1, after: head.pageInfo.endCursor }))).toEqual([slugs(all)[1]]);
});
