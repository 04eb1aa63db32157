/** A grant that is revoked while a server compiles the rights that it gives: what is remembered must not have it. */
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { createApi } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import type { InProcess } from "../../support/in-process.ts";
import { addPerson, type Person } from "../../support/watchers.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let workspaceId: string;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  scene = await openScene(1000, { hints: false });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

/** Whether a person sees the workspace, by a server. */
async function sees({ api }: Person, server: InProcess): Promise<boolean> {
  const query = "query ($id: ID!) { workspace(by: { id: $id }) { id } }";
  return (await createApi(server.url, api.token).ask(query, { id: workspaceId })).workspace !== null;
}

const revoke = (person: Person) =>
  scene.rows(
    "update access_grant set revoked_at = now(), revoked_by = $1 where principal_id = $2",
    ADMIN_ACTOR_ID,
    person.actorId,
  );

/** The number of connections that wait to read the tree of projects. */
async function waiting(): Promise<number> {
  const [row] = await scene.rows(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"isolated"%'`,
  );
  return row?.["count"];
}

/** Keeps servers from reading the tree, which they do before and after the grants, while `work` is done. */
async function withoutTree<T>(work: () => Promise<T>): Promise<T> {
  return scene.server.deps.database.transaction(async (tx) => {
    await sql`lock table project in access exclusive mode`.execute(tx.sql);
    return work();
  });
}

describe("a grant that is revoked while a server compiles it", () => {
  beforeAll(async () => {
    workspaceId = await scene.createWorkspace();
  });

  it("is not remembered where the version was read before it went, and the grants after", async () => {
    ann = await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", workspaceId]]);
    // It knows no tree yet, and waits for it before it reads the grants.
    await using other = await scene.server.second();
    const { asked } = await withoutTree(async () => {
      const first = sees(ann, other);
      await waitUntil(async () => (await waiting()) > 0);
      await revoke(ann);
      return { asked: first };
    });
    expect(await asked).toBe(false);
    expect(await sees(ann, other)).toBe(false);
    expect(other.reported).toEqual([]);
  });

  it("is not remembered where the grants were read before it went, and kept after", async () => {
    [ann, ben] = [
      await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", workspaceId]]),
      await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", workspaceId]]),
    ];
    await using other = await scene.server.second();
    expect(await sees(ben, other)).toBe(true);
    // Another version of rights: the tree is read again, behind the grants.
    await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", workspaceId]]);
    const { asked } = await withoutTree(async () => {
      const first = sees(ann, other);
      await waitUntil(async () => (await waiting()) > 0);
      await revoke(ann);
      return { asked: first };
    });
    // It began while the grant was in force.
    await asked;
    for (let times = 0; times < 3; times += 1) expect(await sees(ann, other)).toBe(false);
    expect(await sees(ben, other)).toBe(true);
    expect(other.reported).toEqual([]);
  });
});
