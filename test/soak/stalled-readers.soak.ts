import { expect, it } from "vitest";
import { growthByStalledReaders } from "../support/stalled-readers.ts";

const READERS = 1000;
const MIB = 1024 * 1024;

it("1,000 readers that never read cost less than 200 MiB", { timeout: 600_000 }, async () => {
  const { heap, external, atOnce } = await growthByStalledReaders(READERS, 500_000);
  console.log(
    `${READERS} readers, ${atOnce} at once: heap ${(heap / MIB).toFixed(1)} MiB, beside it ${(external / MIB).toFixed(1)} MiB`,
  );
  expect(heap).toBeLessThan(200 * MIB);
});
