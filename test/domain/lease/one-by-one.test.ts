/** What happens to the others where one lease or one alarm cannot be handled, with a database that the test makes up. */
import { describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { loseExpiredLeases } from "../../../src/domain/lease/lose-lease.ts";
import { ringAlarms } from "../../../src/domain/lease/ring-alarms.ts";
import { recordedDatabase } from "../../support/recorded-database.ts";

const AT = "2026-01-02T03:04:05.678Z";
const AWAY = Object.assign(new Error("The database is away."), { code: "ECONNREFUSED" });
const BROKEN = new Error("It is broken.");

/** `outcomes`: those of the transactions, in their order; an error is thrown. */
function setup(rows: (sql: string) => readonly object[], outcomes: unknown[]) {
  const { database, statements } = recordedDatabase(rows);
  const reported: [unknown, string][] = [];
  const transaction = async <Result>(): Promise<Result> => {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome as Result;
  };
  const deps = {
    database: { ...database, transaction },
    clock: () => new Date(AT),
    reportError: (error: unknown, doing: string) => void reported.push([error, doing]),
  } as unknown as Deps;
  const updates = () => statements.filter(({ sql }) => sql.startsWith("update")).map(({ parameters }) => parameters);
  return { deps, reported, updates, left: outcomes };
}

describe("leases that ran out", () => {
  const jobs = [1, 2].map((number) => ({
    id: `job_${number}`,
    run_id: `run_${number}`,
    runner_id: `rnr_${number}`,
    leg: "PLAN",
    kind: "DEPLOY",
  }));
  const rows = (sql: string) => (sql.includes('from "job"') ? jobs : []);

  it("mark the runners that lost one, and no other", async () => {
    const { deps, reported, updates } = setup(rows, [false, true]);
    expect(await loseExpiredLeases(deps)).toBe(2);
    expect([updates(), reported]).toEqual([[[AT, "rnr_2"]], []]);
  });

  it("do not wait for one that cannot be ended, which is reported", async () => {
    const { deps, reported, updates } = setup(rows, [BROKEN, true]);
    expect(await loseExpiredLeases(deps)).toBe(2);
    expect(reported).toEqual([[BROKEN, "ending the lease of job_1"]]);
    expect(updates()).toEqual([[AT, "rnr_2"]]);
  });

  it("are looked for again once the database is back", async () => {
    const { deps, reported, left } = setup(rows, [AWAY, true]);
    await expect(loseExpiredLeases(deps)).rejects.toBe(AWAY);
    expect([reported, left]).toEqual([[], [true]]);
  });
});

describe("alarms that are due", () => {
  const rows = (sql: string) => (sql.includes('from "run"') ? [{ id: "run_1" }, { id: "run_2" }] : []);

  it("do not wait for a run that cannot be checked, which is reported and checked again later", async () => {
    const { deps, reported, left } = setup(rows, [BROKEN, "the next alarm of run_1", "run_2 was checked"]);
    expect(await ringAlarms(deps, null)).toBe(2);
    expect(reported).toEqual([[BROKEN, "checking the deadlines of run_1"]]);
    expect(left).toEqual([]);
  });

  it("are looked for again once the database is back", async () => {
    const { deps, reported, left } = setup(rows, [AWAY, true]);
    await expect(ringAlarms(deps, null)).rejects.toBe(AWAY);
    expect([reported, left]).toEqual([[], [true]]);
  });
});
