/** The scheduler among processes that die; `npm run soak` does the same with 10,000 runs. */
import { expect, it } from "vitest";
import { runLoad } from "../support/scheduler-load.ts";

it("100 runs end as they must, whoever is killed", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { violations, ends } = await runLoad({
    seed,
    runs: 100,
    organizations: 2,
    limit: 3,
    workspaces: 10,
    runners: 3,
    slots: 1,
    kills: { runners: 1, servers: 1, serversReturn: false },
  });
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(ends["FINISHED"]).toBeGreaterThan(0);
});
