/** Changes of refs that started nothing are removed after a time; those that a changeset shows stay. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { retentionRound } from "../../../src/domain/retention/retention-round.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
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

it("keeps what a changeset shows, and what another change refers to until that goes", async () => {
  const { id, repository } = await pushes.follow();
  repository.commit({ "README.md": "a" });
  await pushes.settle();
  const started = repository.commit({ "one/main.tf": "# a" });
  await pushes.settle();
  // The second one takes the place of the first; neither starts a run.
  repository.commit({ "README.md": "b" });
  await pushes.look();
  repository.commit({ "README.md": "c" });
  await pushes.settle();
  repository.git("rm", "-r", "--quiet", "one");
  repository.git("commit", "--quiet", "--message=gone");
  await pushes.settle();
  const { deps } = scene.server;
  await retentionRound(deps, () => {});
  expect(await pushes.changesOf(id)).toHaveLength(5);
  const at = new Date(deps.clock().getTime() + LIMITS.refChangeKeptMs + 1000);
  await retentionRound({ ...deps, clock: () => at }, () => {});
  const left = await pushes.changesOf(id);
  expect(left.map(({ after }) => after)).toEqual([started]);
  expect(await scene.rows("select 1 from trigger_decision where reason = 'SOURCE_UNREADABLE'")).toEqual([]);
});
