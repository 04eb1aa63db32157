import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "../domain/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function linesOf(runId: string): Promise<Data[]> {
  const { run } = await scene.api.ask(
    "query ($id: ID!) { run(id: $id) { log(first: 5000) { edges { node { number phase attempt text } } } } }",
    { id: runId },
  );
  return run.log.edges.map((edge: Data) => edge.node);
}

it("lines follow each other: a gap or an overlap is refused, and says which comes next", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const at = (line: number): void => {
    job.nextLine = line;
  };
  expect((await job.log("PLAN", "one", "two", "three")).body).toEqual({ nextLine: 4 });
  const refusal = { status: 409, body: { code: "OUT_OF_ORDER", nextLine: 4 } };
  for (const [line, texts] of [
    [5, ["five"]],
    [1, ["one"]],
    [2, ["two", "three"]],
    [3, ["three", "four"]],
    [1, ["one", "two", "other"]],
    [1, ["one", "two", "three", "four"]],
  ] as const) {
    at(line);
    expect(await job.log("PLAN", ...texts)).toMatchObject(refusal);
  }
  at(4);
  expect((await job.log("PLAN", "four")).body).toEqual({ nextLine: 5 });
  expect((await linesOf(runId)).map(({ number, text }) => [number, text])).toEqual([
    [1, "one"],
    [2, "two"],
    [3, "three"],
    [4, "four"],
  ]);
});

it("belong to a phase that has begun, and may come after it", async () => {
  const { runId, job } = await scene.reach("PREPARING");
  expect(await job.log("PLAN", "early")).toMatchObject({ status: 409, body: { code: "OUT_OF_ORDER" } });
  await job.log("PREPARE", "a");
  await job.message({ type: "prepared" });
  await job.log("PREPARE", "late");
  await job.log("INIT", "b");
  await job.message({ type: "initialized" });
  await job.log("PLAN", "c");
  expect((await linesOf(runId)).map(({ phase, text }) => [phase, text])).toEqual([
    ["PREPARE", "a"],
    ["PREPARE", "late"],
    ["INIT", "b"],
    ["PLAN", "c"],
  ]);
});

it("go on where another attempt, a replan and the apply take over", async () => {
  const { runId, job } = await scene.reach("PREPARING");
  await job.log("PREPARE", "1");
  await job.message({ type: "handedBack" });
  const again = await scene.claim(runId);
  expect(again.job.nextLine).toBe(2);
  await again.log("PREPARE", "2");
  await again.plan();
  await scene.quick("replanRun", { runId, planVersion: 1 });
  const replan = await scene.claim(runId);
  await replan.message({ type: "prepared" });
  await replan.message({ type: "initialized" });
  await replan.log("PLAN", "3");
  await replan.request("PUT", "archive", Buffer.from("a"));
  await replan.plan();
  const lines = await linesOf(runId);
  expect(lines.map(({ number, phase, attempt, text }) => [number, phase, attempt, text])).toEqual([
    [1, "PREPARE", 1, "1"],
    [2, "PREPARE", 2, "2"],
    [3, "PLAN", 2, "3"],
  ]);
});

it("are stored once where the same are on their way twice, and in whole where rivals meet", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const send = (first: number, ...texts: string[]) =>
    job.request("POST", "log", {
      phase: "PLAN",
      firstLine: first,
      lines: texts.map((text) => ({ at: "2026-11-20T16:07:25.447Z", text })),
    });
  const same = await Promise.all(Array.from({ length: 8 }, () => send(1, "a", "b")));
  expect(same.map(({ status }) => status)).toEqual(same.map(() => 200));
  const rivals = await Promise.all(["x", "y", "z"].map((text) => send(3, text)));
  expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect((await linesOf(runId)).map(({ number }) => number)).toEqual([1, 2, 3]);
});

it("keep their text: empty, tabs, control characters, every plane of Unicode", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const texts = [
    "",
    "\t\ttabs\t",
    "\u001b[31mred\u001b[0m",
    "a\rb",
    "🐘 ä 漢",
    String.raw`\n \u0000 \\`,
    "x".repeat(65_792),
  ];
  expect((await job.log("PLAN", ...texts)).status).toBe(200);
  expect((await linesOf(runId)).map(({ text }) => text)).toEqual(texts);
});
