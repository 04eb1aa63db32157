/** Whatever people, runners, clocks and servers do: the database says what the pure machine says, after each step. */
import fc from "fast-check";
import { inject, it } from "vitest";
import { scenarios } from "../support/lifecycle-steps.ts";
import { World } from "../support/lifecycle-world.ts";

/** So long until a failure is told as it is, however small it could still become. */
const SHRINK_MS = 100_000;

it("the database goes where the machine says, whatever happens", { timeout: 3_600_000 }, async () => {
  const numRuns = inject("modelRuns");
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ steps, ...scenario }) => {
      await using world = await World.open(scenario);
      for (const step of steps) {
        await world.step(step);
        await world.compare();
      }
      await world.finish();
    }),
    { numRuns, unbiased: true, ...(numRuns < 1000 && { interruptAfterTimeLimit: SHRINK_MS }) },
  );
});
