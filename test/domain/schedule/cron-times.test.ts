/** The next times of a cron expression, by the API, with a clock that is set. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(() => scene[Symbol.asyncDispose]());

const QUERY =
  "query ($cron: String!, $timeZone: String!, $first: Int!) { cronTimes(cron: $cron, timeZone: $timeZone, first: $first) }";
const ask = (cron: string, timeZone = "UTC", first = 3) => scene.api.send(QUERY, { cron, timeZone, first });
async function times(cron: string, timeZone?: string, first?: number): Promise<string[]> {
  const { data, errors } = await ask(cron, timeZone, first);
  expect(errors).toBeUndefined();
  return data.cronTimes;
}

it("lists the times after now, in the zone, once each where clocks are set back", async () => {
  const start = scene.server.deps.clock();
  const hours = await times("0 * * * *");
  const firstMs = Math.floor(start.getTime() / 3_600_000) * 3_600_000 + 3_600_000;
  expect(hours).toEqual([0, 1, 2].map((hour) => new Date(firstMs + hour * 3_600_000).toISOString()));
  // 02:30 comes twice on the day on which the clocks of Berlin are set back, and is due once.
  const night = await times("30 2 25-26 10 *", "Europe/Berlin", 20);
  expect(new Set(night.map((time) => time.slice(0, 10))).size).toBe(20);
  for (const time of night) expect(["00:30", "01:30"]).toContain(time.slice(11, 16));
});

it("lists fewer where there are no more, and at most twenty", async () => {
  expect(await times("0 0 29 2 *", "UTC", 20)).toHaveLength(20);
  expect((await ask("0 3 * * *", "UTC", 21)).errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_INPUT",
    issues: [{ path: ["first"], message: "must be from 1 to 20." }],
  });
});

describe("a wrong input is named", () => {
  it.each([
    ["0 25 * * *", "UTC", "cron"],
    ["@daily", "UTC", "cron"],
    ["0 0 31 2 *", "UTC", "cron"],
    ["0 ".repeat(1000), "UTC", "cron"],
    ["0 3 * * *", "Mars/Olympus", "timeZone"],
    ["0 3 * * *", "+01:00", "timeZone"],
    ["0 3 * * *", "\u0000", "timeZone"],
  ])("%s in %s", async (cron, timeZone, field) => {
    const { errors } = await ask(cron, timeZone);
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
  });
});
