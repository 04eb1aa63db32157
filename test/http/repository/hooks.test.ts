import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { Data } from "../../support/api.ts";
import { deliver, push, signedGitLabPush } from "../../support/hook-delivery.ts";
import { createHost, createRepository, sendRepositoryCommand } from "../../support/repository-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../../domain/scene.ts";

const KINDS = ["BITBUCKET_CLOUD", "BITBUCKET_SERVER", "FORGEJO", "GITEA", "GITHUB", "GITLAB"] as const;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
// An address that sent too much may send again.
beforeEach(() => scene.server.advance(60_000));

const hints = () => scene.rows("select * from hint");
const look = async (id: string) => {
  const [row] = await scene.rows("select wanted, hooked, done from repository_look where repository_id = $1", id);
  return row;
};
const last = () => scene.server.hookResults.at(-1);

async function hostWithRepository(kind: string, name = "acme/infrastructure"): Promise<Data> {
  const { gitHost, hookSecret } = await createHost(scene.api, { kind });
  const { id } = await createRepository(scene.api, gitHost.id, name);
  return { id, gitHostId: gitHost.id, hookPath: gitHost.hookPath, hookSecret };
}

const send = (path: string, delivery: Parameters<typeof deliver>[2]) => deliver(scene.server.url, path, delivery);

describe.each(walk(KINDS, 2))("a hook of %s", (kind) => {
  it("asks for one look, however often it comes, and leaves one row", async () => {
    const name = kind === "BITBUCKET_SERVER" ? "scm/acme/infrastructure" : "acme/infrastructure";
    const { id, hookPath, hookSecret } = await hostWithRepository(kind, name);
    const delivery = push(kind, hookSecret);
    const before = (await hints()).length;
    expect(await send(hookPath, delivery)).toBe(202);
    expect(last()).toBe("ACCEPTED");
    expect(await look(id)).toEqual({ wanted: 1, hooked: 1, done: 0 });
    expect(await send(hookPath, delivery)).toBe(202);
    expect(last()).toBe("REPEATED");
    expect(await hints()).toHaveLength(before + 1);
    const [row] = await scene.rows("select remote_id from repository where id = $1", id);
    expect(row.remote_id).toBe(kind === "BITBUCKET_CLOUD" ? "{42}" : "42");
  });

  it("is refused if it is not authentic, and then leaves nothing", async () => {
    const { id, hookPath } = await hostWithRepository(kind);
    const before = await hints();
    expect(await send(hookPath, push(kind, "another secret"))).toBe(401);
    expect(await send(`${hookPath}x`, push(kind, "another secret"))).toBe(401);
    expect(last()).toBe("UNAUTHENTIC");
    expect(await hints()).toEqual(before);
    expect(await look(id)).toMatchObject({ wanted: 0 });
  });

  it("is taken and forgotten if it is about something else", async () => {
    const { id, hookPath, hookSecret } = await hostWithRepository(kind);
    const before = await hints();
    expect(await send(hookPath, push(kind, hookSecret, { event: "issues" }))).toBe(202);
    expect(await send(hookPath, push(kind, hookSecret, { id: "7", name: "acme/other" }))).toBe(202);
    expect(last()).toBe("IGNORED");
    expect(await hints()).toEqual(before);
    expect(await look(id)).toMatchObject({ wanted: 0 });
  });
});

it("is about the repository with its id, whatever its name is by now", async () => {
  const { id, gitHostId, hookPath, hookSecret } = await hostWithRepository("GITHUB");
  await send(hookPath, push("GITHUB", hookSecret));
  await send(hookPath, push("GITHUB", hookSecret, { name: "acme/renamed", delivery: "2" }));
  expect(await look(id)).toMatchObject({ wanted: 2 });
  // Deleted and made again: another one has the name now.
  await send(hookPath, push("GITHUB", hookSecret, { id: "43", delivery: "3" }));
  expect(last()).toBe("IGNORED");
  await sendRepositoryCommand(scene.api, "updateRepository", { repositoryId: id, name: "acme/infrastructure" });
  await send(hookPath, push("GITHUB", hookSecret, { id: "43", delivery: "4" }));
  expect(await look(id)).toMatchObject({ wanted: 3 });
  expect(gitHostId).toBeTruthy();
});

it("may be signed with the former secret for a day, which shows", async () => {
  const { gitHostId, hookPath, hookSecret } = await hostWithRepository("GITLAB");
  const { hookSecret: fresh } = await sendRepositoryCommand(scene.api, "rotateHookSecret", { gitHostId });
  const used = async () => {
    const query = "query ($id: ID!) { node(id: $id) { ... on GitHost { formerHookSecretUsedAt } } }";
    return (await scene.api.ask(query, { id: gitHostId })).node.formerHookSecretUsedAt;
  };
  expect(await send(hookPath, push("GITLAB", fresh))).toBe(202);
  expect(await used()).toBeNull();
  expect(await send(hookPath, signedGitLabPush(hookSecret))).toBe(202);
  expect(await used()).not.toBeNull();
  scene.server.advance(LIMITS.formerHookSecretMs);
  expect(await send(hookPath, push("GITLAB", hookSecret))).toBe(401);
});

it("may come as a form", async () => {
  const { id, hookPath, hookSecret } = await hostWithRepository("GITHUB");
  const json = JSON.stringify({ repository: { id: 42, full_name: "acme/infrastructure" } });
  const body = Buffer.from(new URLSearchParams({ payload: json }).toString());
  const signature = `sha256=${createHmac("sha256", hookSecret).update(body).digest("hex")}`;
  const headers = { "x-github-event": "push", "x-github-delivery": "1", "x-hub-signature-256": signature };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  expect(await send(hookPath, { headers: { ...headers, ...type }, body })).toBe(202);
  expect(await look(id)).toMatchObject({ wanted: 1 });
});

it("is counted once by two servers that get it at once", async () => {
  const { hookPath, hookSecret } = await hostWithRepository("GITEA");
  const delivery = push("GITEA", hookSecret, { delivery: "twice" });
  const statuses = await Promise.all(Array.from({ length: 6 }, () => send(hookPath, delivery)));
  expect(statuses).toEqual([202, 202, 202, 202, 202, 202]);
  expect(scene.server.hookResults.slice(-6).toSorted()).toEqual(["ACCEPTED", ...Array(5).fill("REPEATED")]);
});

it("is refused unread from an address that sends what is not authentic, but for senders that did before", async () => {
  const { hookPath, hookSecret } = await hostWithRepository("GITHUB");
  const other = await hostWithRepository("GITHUB");
  expect(await send(hookPath, push("GITHUB", hookSecret))).toBe(202);
  const before = (await hints()).length;
  const statuses = [];
  for (let i = 0; i < 25; i++) statuses.push(await send(other.hookPath, push("GITHUB", "wrong")));
  expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
  expect(last()).toBe("LIMITED");
  expect(await send(other.hookPath, push("GITHUB", other.hookSecret))).toBe(429);
  expect(await send(hookPath, push("GITHUB", hookSecret))).toBe(202);
  expect(await hints()).toHaveLength(before);
  scene.server.advance(3000);
  expect(await send(other.hookPath, push("GITHUB", other.hookSecret))).toBe(202);
});

it("may have 25 MiB, and no byte more", async () => {
  const { hookPath, hookSecret } = await hostWithRepository("GITLAB");
  const { headers } = push("GITLAB", hookSecret);
  const text = JSON.stringify({ pad: "", project: { id: 42, path_with_namespace: "acme/infrastructure" } });
  const padded = (bytes: number) => Buffer.from(text.replace('"pad":""', `"pad":"${"x".repeat(bytes - text.length)}"`));
  expect(await send(hookPath, { headers, body: padded(LIMITS.hookBytes) })).toBe(202);
  expect(last()).toBe("ACCEPTED");
  expect(await send(hookPath, { headers, body: padded(LIMITS.hookBytes + 1) })).toBe(413);
});

it("is a POST", async () => {
  const { hookPath } = await hostWithRepository("GITHUB");
  expect((await fetch(scene.server.url + hookPath)).status).toBe(405);
});

it("leaves no row after many posts that are not authentic", async () => {
  const each = inject("soaks") ? 500 : 15;
  const { hookPath } = await hostWithRepository("GITHUB");
  const before = await hints();
  const delivery = push("GITHUB", "wrong");
  const results = scene.server.hookResults.length;
  const sendMany = async () => {
    for (let i = 0; i < each; i++) expect([401, 429]).toContain(await send(hookPath, delivery));
  };
  await Promise.all(Array.from({ length: 20 }, sendMany));
  expect(scene.server.hookResults.length - results).toBe(20 * each);
  expect(new Set(scene.server.hookResults.slice(results))).toEqual(new Set(["UNAUTHENTIC", "LIMITED"]));
  expect(await hints()).toEqual(before);
}, 60_000);
