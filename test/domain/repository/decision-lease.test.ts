/** A change is decided by one server at a time, and by another one if that one dies. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { createDecisions } from "../../../src/domain/repository/decide.ts";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { renewRefChanges } from "../../../src/persistence/repository/trigger-store.ts";
import { openScene, type Scene } from "../scene.ts";
import { openPushes, type Pushes } from "./pushes.ts";

let scene: Scene;
let pushes: Pushes;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  pushes = openPushes(scene);
});
afterAll(async () => {
  await pushes[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
beforeEach(() => scene.rows("update repository_look set next_at = '2999-01-01', wanted = done"));

/** A server whose reads of repositories begin, and wait until they are let go on. */
function heldServer() {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { deps } = scene.server;
  const git: Deps["git"] = {
    fetch: (...args) => deps.git.fetch(...args),
    async read(...args) {
      begun.resolve();
      await gate.promise;
      return deps.git.read(...args);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { deps: { ...deps, git }, begun: begun.promise, letGo: () => gate.resolve(), fail: gate.reject };
}
async function decideRound(deps: Deps, by: string): Promise<number> {
  const decisions = createDecisions(deps, by);
  const begun = await decisions.begin((error) => {
    throw error;
  });
  await decisions.idle();
  return begun;
}
const decide = (by: string) => decideRound(scene.server.deps, by);
function renewDecisions({ database, clock }: Deps, by: string): Promise<void> {
  const until = new Date(clock().getTime() + LIMITS.decisionMs).toISOString();
  return database.statement((statement) => renewRefChanges(statement, by, until));
}
const rowsOf = (id: string) =>
  scene.rows(
    "select decided_by, decided_at, changeset_id, error, failures from ref_change where repository_id = $1",
    id,
  );
const runsAfter = async (workspaceId: string) => {
  await changesetRound(scene.server.deps, new AbortController().signal);
  return pushes.runsOf(workspaceId);
};
/** Most of the time for which a change belongs to a server without a sign of it. */
const MOST = LIMITS.decisionMs - 1000;

describe("a server that decides for long", () => {
  it("keeps the change as long as it gives signs", async () => {
    const { id, repository, one } = await pushes.follow();
    repository.commit({ "one/main.tf": "# a" });
    await pushes.look();
    const slow = heldServer();
    const first = decideRound(slow.deps, "first");
    await slow.begun;
    for (let times = 0; times < 3; times += 1) {
      scene.server.advance(MOST);
      await renewDecisions(scene.server.deps, "first");
      expect(await decide("second")).toBe(0);
    }
    // A sign of another server is none of this one.
    await renewDecisions(scene.server.deps, "second");
    expect((await rowsOf(id))[0]).toMatchObject({ decided_by: "first", decided_at: null });
    slow.letGo();
    await first;
    expect((await rowsOf(id))[0]).toMatchObject({ decided_by: null, failures: 0 });
    expect(await runsAfter(one)).toHaveLength(1);
  });

  it("is not overtaken by a newer change of the ref", async () => {
    const { repository, one } = await pushes.follow();
    repository.commit({ "one/main.tf": "# a" });
    await pushes.look();
    const slow = heldServer();
    const first = decideRound(slow.deps, "first");
    await slow.begun;
    const commit = repository.commit({ "one/README.md": "b" });
    await scene.rows("update repository_look set wanted = wanted + 1");
    await pushes.look();
    await renewDecisions(scene.server.deps, "first");
    expect(await decide("second")).toBe(0);
    slow.letGo();
    await first;
    expect(await decide("second")).toBe(1);
    // It has the same inputs as the run that the first one starts, which does not exist yet.
    const runs = await runsAfter(one);
    expect(runs).toHaveLength(1);
    expect(runs[0]).not.toMatchObject({ revision: commit });
  });
});

describe("a server that was killed", () => {
  it("is followed by another one, and decides nothing if it comes back", async () => {
    const { id, repository, one } = await pushes.follow();
    repository.commit({ "one/main.tf": "# a" });
    await pushes.look();
    const slow = heldServer();
    const first = decideRound(slow.deps, "first");
    await slow.begun;
    scene.server.advance(MOST);
    expect(await decide("second")).toBe(0);
    scene.server.advance(2000);
    expect(await decide("second")).toBe(1);
    const [decided] = await rowsOf(id);
    expect(decided).toMatchObject({ decided_by: null, changeset_id: expect.stringContaining("cs_") });
    // It was only slow: another commit is at the head by now.
    repository.commit({ "one/main.tf": "# b" });
    slow.letGo();
    await first;
    expect(await rowsOf(id)).toEqual([decided]);
    expect(
      await scene.rows(
        "select 1 from changeset where id in (select changeset_id from ref_change where repository_id = $1)",
        id,
      ),
    ).toHaveLength(1);
    expect(await runsAfter(one)).toHaveLength(1);
  });

  it("starts the run of a new tag, and none where it was moved meanwhile", async () => {
    const { id, repository, one } = await pushes.follow({ one: { tags: "v*" } });
    const created = repository.git("rev-parse", "HEAD");
    repository.git("tag", "v1");
    await pushes.look();
    const [slow, later] = [heldServer(), heldServer()];
    const first = decideRound(slow.deps, "first");
    await slow.begun;
    repository.commit({ "README.md": "a" });
    repository.git("tag", "--force", "v1");
    await scene.rows("update repository_look set wanted = wanted + 1");
    await pushes.look();
    const second = decideRound(later.deps, "second");
    await later.begun;
    slow.letGo();
    await first;
    later.letGo();
    await second;
    const isOpen = await scene.rows(
      "select decided_at is null as open from ref_change where repository_id = $1 and ref = 'refs/tags/v1' order by seq",
      id,
    );
    expect(isOpen).toEqual([{ open: false }, { open: true }]);
    expect(await decide("third")).toBe(1);
    expect(await runsAfter(one)).toMatchObject([{ revision: created }]);
  });

  it("counts no failure after another one has taken over", async () => {
    const { id, repository } = await pushes.follow();
    repository.commit({ "one/main.tf": "# a" });
    await pushes.look();
    const [slow, later] = [heldServer(), heldServer()];
    const first = decideRound(slow.deps, "first");
    await slow.begun;
    scene.server.advance(LIMITS.decisionMs + 1000);
    const second = decideRound(later.deps, "second");
    await later.begun;
    slow.fail(new Error("too late"));
    await first;
    expect((await rowsOf(id))[0]).toMatchObject({ decided_by: "second", error: null, failures: 0 });
    expect(scene.server.reported).toHaveLength(1);
    later.letGo();
    await second;
    expect((await rowsOf(id))[0]).toMatchObject({ decided_by: null, failures: 0 });
  });
});
