/** Runners that are killed while they watch the health of what was applied: real processes, a real engine. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { RECOVERY_MS, waitFor, waitUntil } from "../support/eventually.ts";
import * as steps from "../support/run-steps.ts";
import { RUNNERS, VerifiedScene } from "../support/verified-scene.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };

let scene: VerifiedScene;
beforeAll(async () => {
  scene = await VerifiedScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

/** The shards that a runner probes, with the fences of their leases. */
async function shardsOf(index: number): Promise<{ pool: string; shard: number; fence: number }[]> {
  const found = await scene.rows.query(
    `select s.pool, s.shard, s.fence from probe_shard s join prober p on p.id = s.prober_id
     join runner r on r.id = p.runner_id where r.name = $1`,
    [`runner-${index}`],
  );
  return found.rows;
}

/** Waits until each path was asked for twice more. */
async function untilAsked(paths: readonly string[]): Promise<void> {
  const before = new Map(scene.asked);
  await waitUntil(() => paths.every((path) => (scene.asked.get(path) ?? 0) >= (before.get(path) ?? 0) + 2), PATIENCE);
}

it("kill -9 of each runner while they watch health", { timeout: 600_000 }, async () => {
  scene.isHealthy = true;
  const names = Array.from({ length: 6 }, (_none, index) => `watched-${index}`);
  const ids = await Promise.all(
    names.map(async (name) => {
      const target = "{{outputs.url}}";
      const workspaceId = await scene.createWorkspace(name, {
        text: `output "url" { value = "http://127.0.0.1:${scene.port}/${name}" }`,
        mode: "OFF",
        probes: [{ name: "web", kind: "HTTP", use: "HEALTH", from: "RUNNERS", target, intervalSeconds: 10 }],
      });
      await waitForStatus(scene.api, await steps.createRun(scene.api, workspaceId), "FINISHED");
      return workspaceId;
    }),
  );
  const healths = async (): Promise<unknown[]> =>
    (await scene.rows.query("select health from workspace_health where workspace_id = any($1)", [ids])).rows;
  /** A prober that is gone makes nothing known, which is no outage. */
  const outages = async (): Promise<unknown[]> => {
    const found = await scene.rows.query(
      "select health from workspace_event where workspace_id = any($1) and health->>'to' not in ('HEALTHY', 'UNKNOWN')",
      [ids],
    );
    return found.rows;
  };
  const healthy = names.map(() => ({ health: "HEALTHY" }));
  const untilHealthy = () => waitFor(async () => expect(await healths()).toEqual(healthy), PATIENCE);
  await untilHealthy();
  const paths = names.map((name) => `/${name}`);
  for (const index of RUNNERS) {
    await waitUntil(async () => (await shardsOf(index)).length > 0, PATIENCE);
    const held = await shardsOf(index);
    const killed = await scene.rows.query(
      "select p.id from prober p join runner r on r.id = p.runner_id where r.name = $1 and p.lease_until > now()",
      [`runner-${index}`],
    );
    scene.runners[index]?.child.kill("SIGKILL");
    await scene.runners[index]?.exited;
    // The first lease runs out by itself; the time of the others passes at once.
    if (index !== RUNNERS[0]) {
      const gone = killed.rows.map(({ id }: { id: string }) => id);
      await scene.rows.query("update prober set lease_until = now() - interval '1 second' where id = any($1)", [gone]);
    }
    await waitFor(async () => {
      for (const { pool, shard, fence } of held) {
        const now = await scene.rows.query("select fence from probe_shard where pool = $1 and shard = $2", [
          pool,
          shard,
        ]);
        expect(now.rows[0]?.fence).toBeGreaterThan(fence);
      }
    }, PATIENCE);
    await untilAsked(paths);
    await untilHealthy();
    await scene.startRunner(index);
  }
  expect(await outages()).toEqual([]);
});
