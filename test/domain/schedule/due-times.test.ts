/**
 * A year in five zones against instants that Postgres computes with its own tables of time zones: what a zone shows at each
 * quarter of an hour. The ends of hours that are skipped are written by hand.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dueTimes, isCron, isTimeZone, nextDue } from "../../../src/domain/schedule/due-times.ts";
import { createRandom } from "../../support/random.ts";
import { openStores, type Stores } from "../../support/store-fixtures.ts";
import { walk } from "../../support/walk.ts";

const FROM = "2026-01-01T00:00:00.000Z";
const TO = "2027-01-01T00:00:00.000Z";

/** When the clocks of each zone go on in 2026, and the local time that they skip; by hand. */
const GAPS: Record<string, { from: string; to: string; endsAt: string } | null> = {
  "Europe/Berlin": { from: "2026-03-29 02:00", to: "2026-03-29 03:00", endsAt: "2026-03-29T01:00:00.000Z" },
  "America/New_York": { from: "2026-03-08 02:00", to: "2026-03-08 03:00", endsAt: "2026-03-08T07:00:00.000Z" },
  "Australia/Lord_Howe": { from: "2026-10-04 02:00", to: "2026-10-04 02:30", endsAt: "2026-10-03T15:30:00.000Z" },
  "America/Santiago": { from: "2026-09-06 00:00", to: "2026-09-06 01:00", endsAt: "2026-09-06T04:00:00.000Z" },
  "Asia/Kolkata": null,
};
const ZONES = Object.keys(GAPS);

/** Expressions, and what they mean of a local time, in SQL. `time`: its time of day; `at`: the fixed time of day. */
const CRONS: { cron: string; matches: string; at?: string; everyHour?: boolean }[] = [
  { cron: "30 2 * * *", matches: "time = '02:30'", at: "02:30" },
  { cron: "15 2 * * *", matches: "time = '02:15'", at: "02:15" },
  { cron: "0 0 * * *", matches: "time = '00:00'", at: "00:00" },
  { cron: "0 * * * *", matches: "extract(minute from local) = 0", everyHour: true },
  { cron: "30 23 * * 6", matches: "time = '23:30' and extract(dow from local) = 6" },
  { cron: "15,45 1 * * *", matches: "time in ('01:15', '01:45')" },
  {
    cron: "0 9 1 1-6 *",
    matches: "time = '09:00' and extract(day from local) = 1 and extract(month from local) between 1 and 6",
  },
];

const expected = new Map<string, string[]>();
let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
  await sql`create table quarter as select zone, t, local, to_char(local, 'HH24:MI') as time
    from unnest(${ZONES}::text[]) as zone,
      generate_series(${FROM}::timestamptz - interval '1 day', ${TO}::timestamptz - interval '15 minutes', '15 minutes') as t,
      lateral (select t at time zone zone as local) as shown`.execute(stores.database.sql);
  for (const timeZone of ZONES) {
    for (const { cron, matches, at, everyHour = false } of CRONS) {
      // A local time that comes twice counts once, but for every hour.
      const { rows } = await sql<{ at: string }>`
        select ${sql.raw(everyHour ? "t" : "min(t)")}::timestamptz(3) as at
        from quarter
        where zone = ${timeZone} and ${sql.raw(matches)} ${sql.raw(everyHour ? "" : "group by local")} order by 1`.execute(
        stores.database.sql,
      );
      const instants = rows.map((row) => row.at).filter((instant) => instant >= FROM);
      const gap = GAPS[timeZone] ?? null;
      if (gap !== null && at !== undefined && isSkipped(gap, at)) instants.push(gap.endsAt);
      expected.set(`${timeZone} ${cron}`, instants.toSorted());
    }
  }
});
afterAll(() => stores[Symbol.asyncDispose]());

function isSkipped({ from, to }: { from: string; to: string }, at: string): boolean {
  const local = `${from.slice(0, 10)} ${at}`;
  return local >= from && local < to;
}

const cases = ZONES.flatMap((timeZone) => CRONS.map(({ cron }) => ({ timeZone, cron })));
/** Within a day of a change of the clock in one of the zones. */
const CHANGES = [
  "2026-03-08",
  "2026-03-29",
  "2026-04-04",
  "2026-04-05",
  "2026-09-06",
  "2026-10-03",
  "2026-10-25",
  "2026-11-01",
];
const nearChange = (at: string): boolean =>
  CHANGES.some((day) => Math.abs(Date.parse(at) - Date.parse(`${day}T12:00:00Z`)) < 18 * 3_600_000);
const before = (at: string): Date => new Date(Date.parse(at) - 1);

describe("a year of due times", () => {
  it.each(walk(cases, 12))("$cron in $timeZone", ({ timeZone, cron }) => {
    const instants = expected.get(`${timeZone} ${cron}`) ?? [];
    expect(instants.length).toBeGreaterThan(5);
    // Of the hours of a year those around the changes of the clock, and every fiftieth.
    const isTried = (at: string, index: number): boolean =>
      instants.length < 1000 || index % 50 === 0 || nearChange(at);
    for (const [index, at] of instants.entries()) {
      const former = instants[index - 1];
      if (!isTried(at, index)) continue;
      expect(nextDue({ cron, timeZone }, former === undefined ? before(FROM) : new Date(former))).toEqual(new Date(at));
    }
    const afterLast = nextDue({ cron, timeZone }, new Date(instants.at(-1) ?? ""))?.toISOString() ?? "";
    expect(afterLast >= TO).toBe(true);
  });

  it("hourly schedules fire every real hour, also where clocks are set back", () => {
    expect(expected.get("Europe/Berlin 0 * * * *")?.length).toBe(365 * 24);
  });
});

describe("after an outage", () => {
  it.each(cases)("the last of $cron in $timeZone that passed is due, or none", ({ timeZone, cron }) => {
    const instants = expected.get(`${timeZone} ${cron}`) ?? [];
    const random = createRandom(20261126);
    for (let round = 0; round < 20; round += 1) {
      const first = Math.floor(random.next() * (instants.length - 2));
      const last = Math.min(instants.length - 2, first + Math.floor(random.next() * 40));
      const [nextAt = "", passedAt = "", after = ""] = [instants[first], instants[last], instants[last + 1]];
      const gapMs = Date.parse(after) - Date.parse(passedAt);
      const at = new Date(Date.parse(passedAt) + Math.floor(random.next() * gapMs));
      const timing = { cron, timeZone, nextAt: new Date(nextAt) };
      const isLate = at.getTime() - Date.parse(passedAt) > 60_000;
      const times = { passedAt: new Date(passedAt), nextAt: new Date(after) };
      const where = `from ${nextAt} at ${at.toISOString()}`;
      expect(dueTimes({ ...timing, misfire: "ONCE" }, at, 60_000), where).toEqual({
        ...times,
        dueAt: new Date(passedAt),
      });
      expect(dueTimes({ ...timing, misfire: "SKIP" }, at, 60_000), where).toEqual({
        ...times,
        dueAt: isLate ? null : new Date(passedAt),
      });
    }
  });

  it("of years takes as long as one of minutes: due times are not counted up", () => {
    const timing = { cron: "* * * * *", timeZone: "Europe/Berlin", nextAt: new Date("2020-01-01T00:00:00Z") } as const;
    const at = new Date("2026-11-26T01:00:30Z");
    expect(dueTimes({ ...timing, misfire: "ONCE" }, at, 60_000)).toEqual({
      dueAt: new Date("2026-11-26T01:00:00Z"),
      passedAt: new Date("2026-11-26T01:00:00Z"),
      nextAt: new Date("2026-11-26T01:01:00Z"),
    });
  });

  it("does not go back behind the next due time: one that was due already is not due again", () => {
    // The expression was changed: what it named before is not considered.
    const timing = { cron: "0 5 * * *", timeZone: "UTC", nextAt: new Date("2026-03-02T05:00:00Z") } as const;
    const at = new Date("2026-03-02T05:00:00Z");
    expect(dueTimes({ ...timing, misfire: "ONCE" }, at, 0).dueAt).toEqual(at);
  });
});

describe("expressions and zones", () => {
  it.each(["* * * * *", "*/7 0 1,15 * 1-5", "0 9 * * MON#1", "0 0 L * *"])("%s is one", (text) => {
    expect(isCron(text)).toBe(true);
  });
  it.each([
    "",
    "@daily",
    "@reboot",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "a b c d e",
    "0 0 1 1 * 2027",
    "\0 * * * *",
  ])("%j is none", (text) => {
    expect(isCron(text)).toBe(false);
  });
  it("those that never come have no due time", () => {
    expect(nextDue({ cron: "0 0 30 2 *", timeZone: "UTC" }, new Date(FROM))).toBeNull();
    expect(nextDue({ cron: "0 0 31 4,6 *", timeZone: "UTC" }, new Date(FROM))).toBeNull();
    expect(nextDue({ cron: "0 0 29 2 *", timeZone: "UTC" }, new Date(FROM))).toEqual(new Date("2028-02-29T00:00:00Z"));
  });
  it("zones have names of IANA", () => {
    for (const name of ZONES) expect(isTimeZone(name)).toBe(true);
    expect(isTimeZone("UTC")).toBe(true);
    for (const name of ["", "Mars/Olympus", "+01:00", "-05:00", "Europe/Berlin\0", "berlin"]) {
      expect(isTimeZone(name)).toBe(false);
    }
  });
});
