import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { LOG_TEXT_TYPE, writeLogText } from "../../src/model/log/log-text.ts";
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
  expect((await job.log("PLAN", "one", "two", "three")).body).toMatchObject({ nextLine: 4 });
  const refusal = { status: 409, body: { code: "OUT_OF_ORDER", nextLine: 4 } };
  for (const [line, texts] of [
    [5, ["five"]],
    [1, ["other"]],
    [3, ["three", "four"]],
    [1, ["one", "two", "other"]],
    [1, ["one", "two", "three", "four"]],
  ] as const) {
    at(line);
    expect(await job.log("PLAN", ...texts)).toMatchObject(refusal);
  }
  // They are there already, in whichever batch.
  at(2);
  expect(await job.log("PLAN", "two")).toMatchObject({ status: 200, body: { nextLine: 3 } });
  at(4);
  expect((await job.log("PLAN", "four")).body).toMatchObject({ nextLine: 5 });
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
    job.sendLog({
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

it("tell who wrote a line; a page and a stream of some of them have the others' numbers left out", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const at = "2026-11-20T16:07:25.447Z";
  const lines = [
    { at, text: "out" },
    { at, text: "err", stream: "STDERR" },
    { at, text: "runner", stream: "RUNNER" },
    { at, text: "more", stream: "STDOUT" },
  ] as const;
  expect((await job.sendLog({ phase: "PLAN", firstLine: 1, lines })).status).toBe(200);
  expect((await job.sendLogText("phase=PLAN&firstLine=5", "0.9\tx")).status).toBe(400);
  const { run } = await scene.api.ask(
    `query ($id: ID!) { run(id: $id) {
      all: log { edges { node { stream } } }
      some: log(streams: [STDERR, RUNNER]) { edges { node { number text } } pageInfo { hasNextPage } }
      last: log(streams: [STDOUT], last: 1) { edges { node { number } } }
      none: log(streams: []) { edges { node { number } } }
    } }`,
    { id: runId },
  );
  expect(run.all.edges.map((edge: Data) => edge.node.stream)).toEqual(["STDOUT", "STDERR", "RUNNER", "STDOUT"]);
  expect(run.some).toEqual({
    edges: [{ node: { number: 2, text: "err" } }, { node: { number: 3, text: "runner" } }],
    pageInfo: { hasNextPage: false },
  });
  expect(run.last.edges).toEqual([{ node: { number: 4 } }]);
  expect(run.none.edges).toEqual([]);
});

it("come as text; anything else is refused and changes nothing", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const lines = [
    { at: "2026-11-20T16:07:25.447Z", text: "ünïcode\ta\tb" },
    { at: "2026-11-20T16:07:25.448Z", text: "", stream: "STDERR" as const },
  ];
  const text = writeLogText(lines);
  const taken = { status: 200, body: { nextLine: 3, atOnce: LIMITS.logPostsAtOnce } };
  expect(await job.sendLogText("phase=PLAN&firstLine=1", text)).toEqual(taken);
  expect(await job.sendLogText("phase=PLAN&firstLine=1", text)).toEqual(taken);
  expect(await job.request("POST", "log?phase=PLAN&firstLine=3", { lines })).toMatchObject({
    status: 400,
    body: { code: "MALFORMED", message: `The content-type must be ${LOG_TEXT_TYPE}.` },
  });
  for (const [query, body] of [
    ["", text],
    ["phase=PLAN&firstLine=0", text],
    ["phase=PLAN&firstLine=", text],
    ["phase=PLAN&firstLine=1.5", text],
    ["phase=PLAN&firstLine=0x3", text],
    ["phase=PLAN&firstLine=3e0", text],
    ["phase=PLAN&firstLine=%203", text],
    ["phase=PLAN&firstLine=2000000001", text],
    ["phase=PLANE&firstLine=3", text],
    ["phase=PLAN&firstLine=3", ""],
    ["phase=PLAN&firstLine=3", "no instant"],
    ["phase=PLAN&firstLine=3", Uint8Array.of(49, 9, 255)],
    ["phase=PLAN&firstLine=3", "1\ta\0"],
    ["phase=PLAN&firstLine=3", Array.from({ length: LIMITS.logPageSize + 1 }, () => "1\ta").join("\n")],
  ] as const) {
    expect(await job.sendLogText(query, body)).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
  }
  expect(await job.sendLogText("phase=PLAN&firstLine=0x3", text)).toMatchObject({
    body: { message: expect.stringMatching(/^firstLine: must be a whole number/) },
  });
  expect(await job.sendLogText("phase=PLAN&firstLine=4", text)).toMatchObject({ status: 409, body: { nextLine: 3 } });
  expect((await linesOf(runId)).map(({ number, text }) => [number, text])).toEqual([
    [1, "ünïcode\ta\tb"],
    [2, ""],
  ]);
});

it("end at the limits of a phase and of a run: what a runner sends beyond is refused and changes nothing", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  await job.log("PLAN", "first");
  const set = (bytes: number, phaseBytes: number) =>
    scene.rows(
      "update log_head set bytes = $2, phase_bytes = jsonb_build_object('PLAN:1', $3::bigint) where run_id = $1",
      runId,
      bytes,
      phaseBytes,
    );
  await set(6, LIMITS.logPhaseBytes - 5);
  const full = await job.log("PLAN", "second");
  expect(full).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
  expect(full.body.message).toBe(
    `The log of the phase PLAN may have at most ${LIMITS.logPhaseBytes} bytes of text. Send no more lines.`,
  );
  expect((await job.log("PLAN", "last")).body).toMatchObject({ nextLine: 3 });
  await set(LIMITS.logRunBytes, 0);
  expect((await job.log("PLAN", "more")).body.message).toContain("The log of the run may have");
  expect((await linesOf(runId)).map(({ text }) => text)).toEqual(["first", "last"]);
});

it("know what a job declares as sensitive: later jobs of the run get it, and it is stored sealed", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const masks = (values: unknown, to = job) => to.request("POST", "masks", { values });
  expect((await masks(["declared-one", "declared\ntwo"])).status).toBe(204);
  expect((await masks(["declared-one", "declared-three"])).status).toBe(204);
  for (const bad of [[""], ["x".repeat(8193)], "text", [1]]) expect((await masks(bad)).status).toBe(400);
  const many = Array.from({ length: 98 }, (_, index) => `declared-${index}-of-many`);
  expect(await masks(many)).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
  const rows = await scene.rows(
    "select position, value_sealed from run_mask where run_id = $1 order by position",
    runId,
  );
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
  for (const { value_sealed } of rows) expect(value_sealed.toString("latin1")).not.toContain("declared");
  await job.message({ type: "handedBack" });
  expect((await masks(["too-late"])).status).toBe(410);
  const again = await scene.claim(runId);
  expect(again.job.secrets.toSorted()).toEqual(["declared\ntwo", "declared-one", "declared-three"]);
  const { job: other } = await scene.reach("PREPARING");
  expect(other.job.secrets).toEqual([]);
});
