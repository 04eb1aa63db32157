/** Runners, servers and connections that die; `npm run soak` does the same with more of each. */
import { expect, it } from "vitest";
import { runChaos } from "../support/chaos.ts";

it("8 runs end as they must, whoever is killed", async () => {
  const seed = Number(process.env["HOLDPOINT_CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const { violations, ends, comparedLines } = await runChaos({
    seed,
    servers: 2,
    runners: 2,
    slots: 2,
    runs: 8,
    workspaces: 4,
    cuts: { runners: 2, servers: 1, connections: 1 },
  });
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(8);
  expect(ends["FINISHED APPLIED"], JSON.stringify(ends)).toBeGreaterThan(0);
  expect(comparedLines).toBeGreaterThan(100);
});
