import { expect, it } from "vitest";
import { runChaos } from "../support/chaos.ts";

const RUNS = Number(process.env["HOLDPOINT_CHAOS_RUNS"] ?? 60);

it(`${RUNS} runs of a real engine end as they must, while processes are killed`, { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env["HOLDPOINT_CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const report = await runChaos({
    seed,
    servers: 2,
    runners: 4,
    slots: 2,
    runs: RUNS,
    workspaces: 10,
    cuts: { runners: Math.ceil(RUNS / 4), servers: Math.ceil(RUNS / 10), connections: Math.ceil(RUNS / 4) },
  });
  console.log(JSON.stringify({ seed, ...report }));
  expect(report.violations, `seed ${seed}`).toEqual([]);
});
