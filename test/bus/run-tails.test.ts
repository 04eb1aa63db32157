/** Tails over the events and the log of a run, where something is written between two of their reads. */
import type { KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTails } from "../../src/bus/run-tails.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Reader } from "../../src/persistence/database/database.ts";
import { openScene, report, type Scene, type Spot } from "../domain/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => {
  expect(scene.server.hub.size).toBe(0);
  expect(scene.server.reported).toEqual([]);
});

/** Reads the database; `work` is done once, when the first statement has been executed and before its rows are given. */
function readerThat(work: () => Promise<unknown>): Reader {
  let first = true;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (first) {
        first = false;
        await work();
      }
      return result;
    },
  };
  return { sql: scene.server.deps.database.sql.withPlugin(plugin) };
}

/** Looks by hints alone. */
const tailsOver = (reader: Reader) => createTails(reader, scene.server.hub, { pollMs: 600_000 });
const fail = ({ job }: Spot) => job.message({ type: "failed", failure: report("PLAN_FAILED") });

describe("a tail of a run with nothing new", () => {
  it("says so at once only to a reader that resumes", async () => {
    const spot = await scene.reach("PLANNING");
    const [run] = await scene.rows("select version from run where id = $1", spot.runId);
    const version = Number(run?.["version"]);
    const first = async (resumed?: boolean) => {
      const idle = Promise.withResolvers<unknown>();
      const tails = tailsOver(scene.server.deps.database);
      const tail = tails.runEvents(spot.runId, version, resumed, (position) => idle.resolve(position));
      const next = tail.next();
      const found = await Promise.race([next.then(({ value }): unknown => value), idle.promise]);
      await tail.return?.();
      await next;
      return found;
    };
    expect([await first(), await first(false)]).toEqual([version, version]);
    expect(await first(true)).toEqual({ type: "QUIET", version, at: expect.any(String) });
  });
});

describe("a run that ends between two reads of a tail", () => {
  it("is followed past an event that changes no status", async () => {
    const spot = await scene.reach("PLANNING");
    const [run] = await scene.rows("select version from run where id = $1", spot.runId);
    await scene.quick("cancelRun", { runId: spot.runId });
    const events = tailsOver(scene.server.deps.database).runEvents(spot.runId, Number(run?.["version"]));
    expect((await events.next()).value).toMatchObject({ type: "CHANGED", fields: ["cancelRequested"] });
    await fail(spot);
    expect((await Array.fromAsync(events)).at(-1)).toMatchObject({ type: "STATUS_CHANGED", from: "PLANNING" });
  });

  it("is followed to its last event", async () => {
    const spot = await scene.reach("PLANNING");
    const [run] = await scene.rows("select version from run where id = $1", spot.runId);
    const version = Number(run?.["version"]);
    const events = await Array.fromAsync(tailsOver(readerThat(() => fail(spot))).runEvents(spot.runId, version));
    expect(events.at(-1)).toMatchObject({ type: "STATUS_CHANGED", from: "PLANNING", to: "FAILED" });
  });

  it("has nothing more for a reader of its last event, whose rights are asked for", async () => {
    const spot = await scene.reach("PLANNING");
    await fail(spot);
    const [run] = await scene.rows("select version from run where id = $1", spot.runId);
    const asked: number[] = [];
    const admit = (accessVersion: number) => {
      asked.push(accessVersion);
      return Promise.resolve(true);
    };
    const tails = tailsOver(scene.server.deps.database);
    const open = (runId: string, version: number) => tails.runEvents(runId, version, false, undefined, admit);
    expect(await Array.fromAsync(open(spot.runId, Number(run?.["version"])))).toEqual([]);
    expect(asked).toEqual([expect.any(Number)]);
    // Nobody needs rights to hear that there is none.
    expect(await Array.fromAsync(open("run_none", 0))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it("is followed to its last lines, also where they are more than a page", async () => {
    const spot = await scene.reach("PLANNING");
    const texts = Array.from({ length: 3 }, (_, index) => `${index} ${"x".repeat(LIMITS.streamPageBytes * 0.75)}`);
    const end = async () => {
      await spot.job.log("PLAN", ...texts);
      await fail(spot);
    };
    const pages = await Array.fromAsync(tailsOver(readerThat(end)).runLog(spot.runId, 0));
    expect(pages.flat().map(({ text }) => text)).toEqual(texts);
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
  });
});

describe("a log of a run", () => {
  it("asks for rights with its lines and with its end, and not where there is no run", async () => {
    const spot = await scene.reach("PLANNING");
    await spot.job.log("PLAN", "one", "two");
    await fail(spot);
    const asked: number[] = [];
    const admit = (accessVersion: number) => {
      asked.push(accessVersion);
      return Promise.resolve(true);
    };
    const tails = tailsOver(scene.server.deps.database);
    const read = (runId: string) => Array.fromAsync(tails.runLog(runId, 0, undefined, admit));
    expect((await read(spot.runId)).flat().map(({ text }) => text)).toEqual(["one", "two"]);
    expect(asked).toEqual([expect.any(Number), asked[0]]);
    expect(await read("run_none")).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it("has as many lines in a page as one reader may hold, and a line that is longer in one of its own", async () => {
    const spot = await scene.reach("PLANNING");
    // With the memory of each line besides its text, the first 128 fill a page.
    await spot.job.log("PLAN", ...Array.from({ length: 129 }, () => "x".repeat(256)), "y".repeat(LIMITS.logLineBytes));
    await fail(spot);
    const tails = tailsOver(scene.server.deps.database);
    const pages = await Array.fromAsync(tails.runLog(spot.runId, 0));
    expect(pages.map((page) => page.length)).toEqual([128, 1, 1]);
    expect(pages.flat().map(({ number }) => number)).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
  });

  it("is read again with a hint about it alone", async () => {
    const spot = await scene.reach("PLANNING");
    const tails = tailsOver(scene.server.deps.database);
    const idle = Promise.withResolvers<number>();
    const from = await tails.lastLogLine(spot.runId);
    const pages = tails.runLog(spot.runId, from, (line) => idle.resolve(line));
    const next = pages.next();
    expect(await idle.promise).toBe(from);
    await spot.job.log("PLAN", "one");
    expect((await next).value).toMatchObject([{ number: from + 1, text: "one" }]);
    await pages.return?.();
  });

  it("knows its last line", async () => {
    const spot = await scene.reach("PLANNING");
    const tails = tailsOver(scene.server.deps.database);
    const before = await tails.lastLogLine(spot.runId);
    await spot.job.log("PLAN", "one", "two");
    expect(await tails.lastLogLine(spot.runId)).toBe(before + 2);
  });
});
