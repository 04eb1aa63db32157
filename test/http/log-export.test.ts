import { once } from "node:events";
import { get, type IncomingMessage, request } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { chooseCoding } from "../../src/http/kit/content-coding.ts";
import { parseRange } from "../../src/http/kit/byte-range.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { appendLog } from "../../src/persistence/log/log-store.ts";
import type { ExecutedPhase } from "../../src/model/run/phase.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { waitUntil } from "../support/eventually.ts";

const AT = "2026-11-20T16:07:25.447Z";

let scene: Scene;
/** A run that ended, with lines of two phases in batches of different sizes, and one whose log is long. */
let ended: { runId: string; texts: string[] };
let live: { runId: string; texts: string[] };

async function fill(runId: string, texts: string[], sizes: number[], phaseOf: (line: number) => ExecutedPhase) {
  const [head] = await scene.rows("select last_line from log_head where run_id = $1", runId);
  const before: number = head?.last_line;
  await scene.server.deps.database.transaction(async (tx) => {
    for (let at = 0, batch = 0; at < texts.length; batch += 1) {
      const size = sizes[batch % sizes.length] ?? 1;
      const lines = texts.slice(at, at + size).map((text) => ({ at: AT, text }));
      await appendLog(tx, runId, { phase: phaseOf(at), attempt: 1, firstLine: before + at + 1, lines }, AT);
      at += size;
    }
  });
}

beforeAll(async () => {
  scene = await openScene();
  const short = await scene.reach("PLANNING");
  const texts = Array.from({ length: 400 }, (_, index) => `line ${index + 1} ${"ü".repeat(index % 7)}`);
  await fill(short.runId, texts, [1, 7, 40, 3], (at) => (at < 200 ? "INIT" : "PLAN"));
  await short.job.message({
    type: "failed",
    failure: { code: "PLAN_FAILED", summary: "x", message: "x", evidence: [] },
  });
  ended = { runId: short.runId, texts };
  const long = await scene.reach("PLANNING");
  const many = Array.from({ length: 12_000 }, (_, index) => `line ${index + 1} ${"x".repeat(3000 + (index % 50))}`);
  await fill(long.runId, many, [100], () => "PLAN");
  live = { runId: long.runId, texts: many };
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function fetchLog(runId: string, query = "", headers: Record<string, string> = {}, method = "GET") {
  const url = `${scene.server.url}/runs/${runId}/log${query}`;
  const options = { method, headers: { authorization: `Bearer ${scene.api.token}`, ...headers } };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe("the log as a file", () => {
  it("is the lines' text, or a part of it by phase and by numbers", async () => {
    const whole = await fetchLog(ended.runId);
    expect(whole).toMatchObject({ status: 200, headers: { "content-type": "text/plain; charset=utf-8" } });
    expect(whole.body.toString()).toBe(text(ended.texts));
    expect(Number(whole.headers["content-length"])).toBe(whole.body.length);
    const part = async (query: string) => (await fetchLog(ended.runId, query)).body.toString();
    expect(await part("?from=5&to=9")).toBe(text(ended.texts.slice(4, 9)));
    expect(await part("?phase=PLAN")).toBe(text(ended.texts.slice(201)));
    expect(await part("?phase=INIT&attempt=1&tail=3")).toBe(text(ended.texts.slice(198, 201)));
    expect(await part("?phase=PLAN&attempt=2")).toBe("");
    expect(await part("?tail=50")).toBe(text(ended.texts.slice(-50)));
    expect(await part("?tail=5&to=100")).toBe(text(ended.texts.slice(95, 100)));
    expect(await part("?from=401")).toBe("");
    expect(await part("?tail=2&timestamps=true")).toBe(text(ended.texts.slice(-2).map((line) => `${AT} ${line}`)));
    expect(JSON.parse(await part("?tail=1&format=jsonl"))).toEqual({
      number: 400,
      at: AT,
      phase: "PLAN",
      attempt: 1,
      stream: "STDOUT",
      text: ended.texts[399],
    });
  });

  it("comes in ranges that make up the whole, with and without instants", async () => {
    for (const query of ["", "?timestamps=true", "?from=11&to=333"]) {
      const whole = (await fetchLog(ended.runId, query)).body;
      const pieces: Buffer[] = [];
      for (let start = 0, size = 1; start < whole.length; size = (size * 7) % 2003) {
        const answer = await fetchLog(ended.runId, query, { range: `bytes=${start}-${start + size - 1}` });
        const end = Math.min(start + size, whole.length);
        expect(answer.status).toBe(206);
        expect(answer.headers["content-range"]).toBe(`bytes ${start}-${end - 1}/${whole.length}`);
        pieces.push(answer.body);
        start = end;
      }
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
      const last = await fetchLog(ended.runId, query, { range: "bytes=-10", "accept-encoding": "gzip" });
      expect([last.status, last.body.equals(whole.subarray(-10))]).toEqual([206, true]);
    }
    expect((await fetchLog(ended.runId, "?format=jsonl", { range: "bytes=0-1" })).status).toBe(200);
    const behind = await fetchLog(ended.runId, "?to=1", { range: "bytes=100-" });
    expect([behind.status, behind.headers["content-range"]]).toEqual([416, "bytes */8"]);
  });

  it("has a strong tag once the run has ended; If-Range and If-None-Match go by it", async () => {
    const { headers } = await fetchLog(ended.runId, "", {}, "HEAD");
    const tag = headers.etag ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/);
    const status = async (more: Record<string, string>) => (await fetchLog(ended.runId, "", more)).status;
    expect(await status({ range: "bytes=0-4", "if-range": tag })).toBe(206);
    expect(await status({ range: "bytes=0-4", "if-range": '"other"' })).toBe(200);
    expect(await status({ "if-none-match": tag })).toBe(304);
    expect((await fetchLog(ended.runId, "?to=399", {}, "HEAD")).headers.etag).not.toBe(tag);
    expect((await fetchLog(ended.runId, "", { "accept-encoding": "gzip" }, "HEAD")).headers.etag).toBe(
      tag.replace(/"$/, '-gzip"'),
    );
  });

  it("has the lines so far of a run that has not ended", async () => {
    const first = await fetchLog(live.runId, "?to=3", { range: "bytes=0-5" });
    expect([first.status, first.headers["content-range"], first.headers.etag]).toEqual([206, "bytes 0-5/*", undefined]);
    const size = Buffer.byteLength(text(live.texts));
    expect((await fetchLog(live.runId, "", {}, "HEAD")).headers["content-length"]).toBe(String(size));
    await fill(live.runId, ["one more"], [1], () => "PLAN");
    live.texts.push("one more");
    const rest = await fetchLog(live.runId, "", { range: `bytes=${size}-` });
    expect([rest.status, rest.body.toString()]).toEqual([206, "one more\n"]);
    expect((await fetchLog(live.runId, "", { range: `bytes=${size + 9}-` })).status).toBe(416);
  });

  it("is compressed while it is sent", async () => {
    const zstd = await fetchLog(live.runId, "?tail=1000", { "accept-encoding": "gzip, zstd" });
    expect(zstd.headers).toMatchObject({
      "content-encoding": "zstd",
      vary: expect.stringContaining("Accept-Encoding"),
    });
    expect(zstdDecompressSync(zstd.body).toString()).toBe(text(live.texts.slice(-1000)));
    expect(zstd.body.length).toBeLessThan(100_000);
    const gzip = await fetchLog(live.runId, "?tail=300&format=jsonl", { "accept-encoding": "gzip;q=0.5" });
    expect(gunzipSync(gzip.body).toString().split("\n").length).toBe(301);
  });
});

it("is sent no faster than it is taken, and not at all to who has left", async () => {
  const url = `${scene.server.url}/runs/${live.runId}/log`;
  const read = vi.spyOn(scene.server.deps.database.sql, "selectFrom");
  const count = () => read.mock.calls.length;
  /** Fulfilled when nothing was read for a while. */
  const quiet = async () => {
    let [before, looks] = [-1, 0];
    await waitUntil(
      () => {
        looks = count() === before ? looks + 1 : 0;
        before = count();
        return looks === 3;
      },
      { interval: 100 },
    );
    return count();
  };
  const stalled = get(url, { headers: { authorization: `Bearer ${scene.api.token}` } });
  const [response]: IncomingMessage[] = await once(stalled, "response");
  // All of it would be 15 reads beside those that find it; sockets hold some megabytes.
  expect(await quiet()).toBeLessThan(14);
  response?.destroy();
  await once(stalled, "close");
  expect(await quiet()).toBeLessThan(14);
  read.mockRestore();
});

it("leaves room for others: one token gets half of the places", async () => {
  const url = `${scene.server.url}/runs/${live.runId}/log`;
  const { token } = await scene.login("READER");
  const stalled = [];
  // One by one: together they keep a slow process from its database for longer than that is waited for.
  while (stalled.length < LIMITS.logExportsPerToken) {
    const asked = get(url, { headers: { authorization: `Bearer ${token}` } });
    stalled.push(asked);
    await once(asked, "response");
  }
  const one = "?tail=1";
  expect((await fetchLog(live.runId, one, { authorization: `Bearer ${token}` })).status).toBe(503);
  expect((await fetchLog(live.runId, one)).status).toBe(200);
  for (const asked of stalled) asked.destroy();
});

it("is refused in HTTP's words", async () => {
  const status = async (runId: string, query = "", headers = {}, method = "GET") => {
    const { status: code, body } = await fetchLog(runId, query, headers, method);
    return [code, body.length === 0 ? null : JSON.parse(body.toString()).code];
  };
  expect(await status(ended.runId, "", { authorization: "Bearer x" })).toEqual([401, "UNAUTHENTICATED"]);
  expect(await status("run_none", "?phase=nonsense")).toEqual([404, "NOT_FOUND"]);
  expect(await status(ended.runId, "", {}, "POST")).toEqual([405, "METHOD_NOT_ALLOWED"]);
  const refused = async (query: string): Promise<string[]> => {
    const { status: code, body } = await fetchLog(ended.runId, query);
    expect(code).toBe(400);
    return JSON.parse(body.toString())
      .issues.map(({ path }: { path: string[] }) => path[0])
      .toSorted();
  };
  const several = await refused("?phase=plan&from=0&tail=x&attempt=0&more=1&format=pdf&to=1&to=2");
  expect(several).toEqual(["attempt", "format", "from", "more", "phase", "tail", "to"]);
  expect(await refused("?attempt=1")).toEqual(["attempt"]);
  expect(await refused("?from=1&tail=1")).toEqual(["tail"]);
  await scene.rows("update log_head set expired_at = now() where run_id = $1", ended.runId);
  expect(await status(ended.runId)).toEqual([410, "EXPIRED"]);
});

it("ranges and codings are read as HTTP has them", () => {
  expect(parseRange("bytes=0-0", 10)).toEqual({ start: 0, end: 1 });
  expect(parseRange("bytes=5-", 10)).toEqual({ start: 5, end: 10 });
  expect(parseRange("bytes=-20", 10)).toEqual({ start: 0, end: 10 });
  expect(parseRange("bytes=10-", 10)).toBe("UNSATISFIABLE");
  expect(parseRange("bytes=-0", 10)).toBe("UNSATISFIABLE");
  for (const header of ["bytes=", "bytes=-", "lines=0-1", "bytes=3-2", "bytes=0-1,3-4"]) {
    expect(parseRange(header, 10)).toBeNull();
  }
  expect([undefined, "", "identity", "br", "zstd;q=0", "*;q=0", "gzip;q=0.2, identity"].map(chooseCoding)).toEqual(
    Array.from({ length: 7 }, () => null),
  );
  expect(["gzip", "gzip, deflate, br, zstd", "*", "zstd;q=0.1, gzip;q=0.5", "GZIP"].map(chooseCoding)).toEqual([
    "gzip",
    "zstd",
    "zstd",
    "gzip",
    "gzip",
  ]);
});
