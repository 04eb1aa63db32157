import { expect, it } from "vitest";
import { growthByStalledReaders } from "../support/stalled-readers.ts";

const READERS = 15;
/** The heap's part of the 200 MiB that 1,000 of them may cost; `npm run soak` measures all of them. */
const PER_READER = (200 * 1024 * 1024) / 1000;

it("many readers that never read cost little, and nobody else notices", { timeout: 120_000 }, async () => {
  const { heap, atOnce } = await growthByStalledReaders(READERS, 100_000);
  expect(atOnce).toBeGreaterThan(READERS / 2);
  expect(heap / atOnce).toBeLessThan(PER_READER);
});
