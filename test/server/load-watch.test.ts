import { expect, it } from "vitest";
import { startLoadWatch } from "../../src/server/load-watch.ts";
import { waitUntil } from "../support/eventually.ts";

it("samples an overload while the process is busy, and nothing after it was disposed", async () => {
  const samples: boolean[] = [];
  {
    using _watch = startLoadWatch({ sample: (isOverloaded) => samples.push(isOverloaded) });
    await waitUntil(() => {
      // Longer than an interval and the delay that is allowed.
      const until = performance.now() + 600;
      while (performance.now() < until);
      return samples.includes(true);
    });
  }
  const count = samples.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(samples).toHaveLength(count);
});
