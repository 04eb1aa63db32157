/**
 * A year of weekly schedules in several zones, on two servers and with three outages. The expected due times come from Postgres'
 * tables of time zones, and not from the library that computes those of schedules.
 */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { dueSchedulesRound } from "../../../src/domain/schedule/due-schedules-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Misfire } from "../../../src/model/schedule/schedule.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openScene, type Scene } from "../scene.ts";

/** A change of an hour in either half of the globe, and one of half an hour. */
const CHANGING_ZONES = ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"];
const ZONES = inject("soaks") ? [...CHANGING_ZONES, "America/New_York", "Asia/Kolkata"] : CHANGING_ZONES;
/** On Sundays, when clocks are changed; in some zones at that very time. */
const CRON = "15 2 * * 0";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** In weeks of the year: over the changes of the clock in spring and in autumn, and one of a week. */
const OUTAGES = [
  { from: 9.5, to: 14.5 },
  { from: 25.5, to: 26.5 },
  { from: 38.5, to: 44.5 },
];

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  other = await scene.server.second();
});
afterAll(async () => {
  expect([...scene.server.reported, ...other.reported]).toEqual([]);
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** When it is a quarter past two on a Sunday, the first time of two; and the end of what clocks skip, if that has it. */
async function expectedOf(zone: string, from: string, to: string): Promise<string[]> {
  const rows = await scene.rows(
    `with quarters as (
       select t, t at time zone $1 as local, (t - interval '15 minutes') at time zone $1 + interval '15 minutes' as without_change
       from generate_series($2::timestamptz, $3::timestamptz, '15 minutes') t
     )
     select min(t) as at from quarters where to_char(local, 'D HH24:MI') = '1 02:15' group by local
     union
     select t from quarters where local > without_change
       and to_char(without_change, 'D') = '1' and without_change::time <= '02:15' and local::time > '02:15'
     order by 1`,
    zone,
    from,
    to,
  );
  return rows.map(({ at }) => at);
}

it("each due time counts once, and those of outages by the rule", async () => {
  const now = (): number => scene.server.deps.clock().getTime();
  const startsAt = Date.UTC(new Date(now()).getUTCFullYear() + 1, 0, 1);
  const [from, to] = [new Date(startsAt).toISOString(), new Date(startsAt + 52 * WEEK_MS).toISOString()];
  const isOut = (at: string): boolean =>
    OUTAGES.some((outage) => {
      const weeks = (Date.parse(at) - startsAt) / WEEK_MS;
      return weeks >= outage.from && weeks < outage.to;
    });
  scene.server.advance(startsAt - now());
  const schedules: { id: string; misfire: Misfire; expected: string[] }[] = [];
  for (const timeZone of ZONES) {
    const expected = await expectedOf(timeZone, from, to);
    expect(expected.length, timeZone).toBeGreaterThanOrEqual(52);
    for (const misfire of ["ONCE", "SKIP"] as const) {
      const input = { organizationId: DEFAULT_ORGANIZATION_ID, name: timeZone, cron: CRON, timeZone, action: "RUN" };
      const query = `mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) {
        ... on CreateScheduleSuccess { schedule { id } } } }`;
      const workspaceId = await scene.createWorkspace();
      const made = await scene.api.ask(query, { input: { ...input, misfire, workspaceId } });
      schedules.push({ id: made.createSchedule.schedule.id, misfire, expected });
    }
  }
  const round = async (at: string): Promise<void> => {
    scene.server.advance(Date.parse(at) + 1000 - now());
    const signal = new AbortController().signal;
    await Promise.all([scene.server, other].map(({ deps }) => dueSchedulesRound(deps, signal)));
    // The runs of a due time have ended when the next one comes.
    await scene.rows("update changeset_member set problem = 'done' where problem is null");
  };
  const ends = OUTAGES.map((outage) => new Date(startsAt + outage.to * WEEK_MS).toISOString());
  const all = [...new Set([...schedules.flatMap(({ expected }) => expected), ...ends])].toSorted();
  for (const at of all) if (!isOut(at) && at < to) await round(at);

  for (const { id, misfire, expected } of schedules) {
    const rows = await scene.rows(
      "select due_at, changeset_id from schedule_firing where schedule_id = $1 order by due_at",
      id,
    );
    const removed = rows[0]?.due_at ?? "";
    const lastOf = OUTAGES.map((outage) =>
      expected.findLast((at) => (Date.parse(at) - startsAt) / WEEK_MS < outage.to),
    );
    const considered = expected.filter((at) => at < to && (!isOut(at) || lastOf.includes(at)));
    // Due times are kept for a month: all of them are counted by their changesets.
    expect(rows.map((row) => row.due_at)).toEqual(considered.filter((at) => at >= removed));
    const changesets = await scene.rows(
      `select cause ->> 'dueAt' as at from changeset_member where cause ->> 'scheduleId' = $1 order by 1`,
      id,
    );
    const fired = considered.filter((at) => misfire === "ONCE" || !isOut(at));
    expect(changesets.map(({ at }) => at)).toEqual(fired);
  }
});
