/** Rows of health, for tests that are about something else. */
import type { Deps } from "../../src/domain/kit/deps.ts";
import { figuresOf, packSamples } from "../../src/model/health/bucket.ts";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";
import { PUBLIC_PROBES } from "../../src/model/health/prober-desk.ts";
import { bucketStartMs, placeOfTarget } from "../../src/model/health/target-hash.ts";
import { NEW_TARGET } from "../../src/model/health/target-state.ts";
import { lockHealth, updateHealth } from "../../src/persistence/health/health-store.ts";
import { insertBuckets } from "../../src/persistence/health/bucket-store.ts";
import { insertTarget, listTargets } from "../../src/persistence/health/target-store.ts";
import { httpRequest } from "./probe-targets.ts";

/** Makes a workspace that has a probe `web` healthy, with a sample of the last minutes. */
export async function insertHealthRows(
  { database, cipher, clock }: Pick<Deps, "database" | "cipher" | "clock">,
  workspaceId: string,
): Promise<void> {
  const at = clock();
  const key = { workspaceId, probe: "web", number: 0 };
  const { shard, bucketOffsetMs } = placeOfTarget(key);
  const address = "https://example.com/";
  await database.transaction(async (tx) => {
    const [locked] = await lockHealth(tx, [workspaceId]);
    if (locked === undefined) throw new Error(`${workspaceId} has no probe for its health.`);
    await updateHealth(tx, { ...locked, stale: false, health: "HEALTHY", since: at.toISOString(), reason: null });
    const facts = { ...key, weight: "REQUIRED", pool: PUBLIC_PROBES, shard, address, unresolved: null } as const;
    const request = httpRequest(address);
    const standing = {
      state: NEW_TARGET,
      status: "HEALTHY",
      since: at.toISOString(),
      reason: null,
      absent: false,
    } as const;
    const target = { ...facts, request, intervalMs: 30_000, ...standing, sampledAt: at.toISOString(), latencyMs: 3 };
    await insertTarget(tx, cipher, target, at.toISOString());
    const [stored] = await listTargets(tx, cipher, workspaceId);
    const samples = [{ second: 1, failure: null, latencyMs: 3, held: false }];
    const from = new Date(bucketStartMs(at.getTime() - 2 * HEALTH_LIMITS.bucketMs, bucketOffsetMs)).toISOString();
    const bucket = { targetId: stored?.id ?? 0, from, packed: packSamples(samples), ...figuresOf(samples) };
    await insertBuckets(tx, PUBLIC_PROBES, [{ shard, fence: 1 }], [bucket]);
  });
}
