/** Documents of plans that are not what they should be. */
import { zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDocumentCheck } from "../../src/ingestion/check-document-aside.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import { packDocument, SMALL_PLAN } from "../support/plan-documents.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
let spot: Spot;
beforeAll(async () => {
  scene = await openScene();
  spot = await scene.reach("PLANNING");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const text = (raw: string | Uint8Array): Buffer => zstdCompressSync(raw);
const plan = (more: object): Buffer => packDocument({ plan: { ...SMALL_PLAN, ...more }, custom: {} });
const custom = (more: object): Buffer => packDocument({ plan: SMALL_PLAN, custom: more });
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const withValue = (json: string): Buffer =>
  text(`{"plan":${JSON.stringify(SMALL_PLAN).slice(0, -1)},"v":${json}},"custom":{}}`);

const BAD: [what: string, body: Buffer, message: RegExp][] = [
  ["nothing", Buffer.alloc(0), /zstd/],
  ["bytes that are not compressed", Buffer.from(JSON.stringify({ plan: SMALL_PLAN, custom: {} })), /zstd/],
  ["a document that is cut", packDocument().subarray(0, -4), /zstd/],
  ["a second frame, which some readers would read", Buffer.concat([packDocument(), packDocument()]), /one frame/],
  ["text", text("plan"), /must be JSON/],
  ["bytes that are no UTF-8", text(Buffer.of(0x22, 0xff, 0x22)), /UTF-8/],
  ["a list", text("[]"), /an object/],
  ["no plan", packDocument({ custom: {} }), /the plan as an object/],
  ["a plan that is a list", packDocument({ plan: [], custom: {} }), /the plan as an object/],
  ["no custom input", packDocument({ plan: SMALL_PLAN }), /custom input/],
  ["custom input that is no object", custom({ a: [1] }), /objects as custom input/],
  [
    "too many custom inputs",
    custom(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, {}]))),
    /at most 20/,
  ],
  ["another key", packDocument({ plan: SMALL_PLAN, custom: {}, verdict: "passed" }), /"verdict"/],
  ["a plan of another format", plan({ format_version: "2.0" }), /format 1\.x/],
  ["changes that are no list", plan({ resource_changes: {} }), /a list of objects as resource_changes/],
  ["a resource without an address", plan({ resource_changes: [{ change: { actions: ["create"] } }] }), /an address/],
  ["a resource without actions", plan({ resource_changes: [{ address: "a.b", change: {} }] }), /actions/],
  ["actions that are no list", plan({ action_invocations: "none" }), /action_invocations/],
  ["half a character", withValue('"\\ud83d"'), /half a character/],
  ["half a character in a key", withValue('{"\\udc00":1}'), /half a character/],
  ["the character U+0000", withValue('"a\\u0000"'), /U\+0000/],
  ["1,000 levels", withValue(nested(1000)), /at most 500 levels/],
  ["more levels than a stack has", withValue(nested(50_000)), /at most 500 levels/],
];

describe("the server refuses", () => {
  it.each(walk(BAD, 6))("%s", async (_what, body, message) => {
    const answer = await spot.job.request("PUT", "document", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(answer.body.message).toMatch(message);
    expect(await scene.rows("select * from job_document")).toEqual([]);
  });

  it("names of left out parts that are none, and too many of them", async () => {
    for (const query of ["truncated=", "truncated=a%20b", `truncated=${"x".repeat(81)}`]) {
      expect(await spot.job.request("PUT", `document?${query}`, packDocument())).toMatchObject({ status: 400 });
    }
    const many = Array.from({ length: 51 }, (_, at) => `truncated=p${at}`).join("&");
    expect(await spot.job.request("PUT", `document?${many}`, packDocument())).toMatchObject({ status: 400 });
  });

  it("what is too large without compression, before it is parsed", async () => {
    const body = zstdCompressSync(Buffer.alloc(LIMITS.documentRawBytes + 1, " "));
    expect(body.length).toBeLessThan(100_000);
    expect(await spot.job.request("PUT", "document", body)).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
  });

  it("what has too many values, which a parser would have no memory for", async () => {
    const values = withValue(`[${"{},".repeat(LIMITS.documentParts / 2)}1]`);
    expect(await spot.job.request("PUT", "document", values)).toMatchObject({
      status: 413,
      body: { code: "TOO_LARGE", message: expect.stringContaining(`${LIMITS.documentParts} values`) },
    });
    const texts = plan({ text: '{[,\\"'.repeat(LIMITS.documentParts / 2) });
    expect(await createDocumentCheck()(texts)).toMatchObject({ actionInvocations: 0 });
  });
});

describe("the server takes", () => {
  it("a plan of 64 MiB, and one with every odd value", async () => {
    const check = createDocumentCheck();
    const large = plan({ large: "x".repeat(64 * 1024 * 1024) });
    expect(await check(large)).toMatchObject({ actionInvocations: 0, cost: null });
    const odd = withValue(
      '{"__proto__":{"plan":1},"constructor":2,"n":9007199254740993,"e":1e400,"s":"\\ud83d\\ude00","d":"\\\\u0000"}',
    );
    expect(await check(odd)).toMatchObject({ actionInvocations: 0 });
    expect(({} as Record<string, unknown>)["plan"]).toBeUndefined();
    expect(await spot.job.request("PUT", "document", odd)).toMatchObject({ status: 204 });
  });

  it("the same answer from a thread as from its own", async () => {
    const check = createDocumentCheck();
    const filler = { filler: Array.from({ length: 100_000 }, (_, at) => `value ${at}`) };
    expect((await check(plan(filler))).rawBytes).toBeGreaterThan(LIMITS.documentInlineBytes);
    await expect(check(plan({ ...filler, resource_changes: {} }))).rejects.toThrow("a list of objects");
  });
});
