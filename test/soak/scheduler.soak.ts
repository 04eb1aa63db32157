import { expect, it } from "vitest";
import { runLoad } from "../support/scheduler-load.ts";

const RUNS = Number(process.env["HOLDPOINT_SOAK_RUNS"] ?? 10_000);

it(`${RUNS} runs end as they must, while processes are killed`, { timeout: 7_200_000 }, async () => {
  const seed = Number(process.env["HOLDPOINT_SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const report = await runLoad({
    seed,
    runs: RUNS,
    organizations: 5,
    limit: 4,
    workspaces: 200,
    runners: 8,
    slots: 3,
    kills: { runners: Math.ceil(RUNS / 40), servers: Math.ceil(RUNS / 500), serversReturn: true },
  });
  console.log(JSON.stringify({ seed, ...report }));
  expect(report.violations, `seed ${seed}`).toEqual([]);
  expect(Object.values(report.ends).reduce((sum, count) => sum + count, 0)).toBe(RUNS);
  expect(report.lostCount).toBeGreaterThan(0);
});
