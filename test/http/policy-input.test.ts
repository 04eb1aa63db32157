/** The document of a plan as a file. */
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { infracost, packDocument, SMALL_PLAN } from "../support/plan-documents.ts";

const DOCUMENT = { plan: SMALL_PLAN, custom: { infracost: infracost("10.5", "12", "1.5"), scan: { found: [] } } };

let scene: Scene;
let spot: Spot;
let planId: string;
beforeAll(async () => {
  scene = await openScene();
  spot = await scene.reach("PLANNING");
  await spot.job.request("PUT", "archive", Buffer.from("archive"));
  await spot.job.request("PUT", "document?truncated=prior_state&truncated=custom.tfsec", packDocument(DOCUMENT));
  await spot.job.message({ type: "planned", plan: fakePlan() });
  planId = await planOf(spot.runId);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function planOf(runId: string): Promise<string> {
  const [row] = await scene.rows("select id from plan where run_id = $1", runId);
  return String(row?.["id"]);
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Asks without fetch, which decodes what it gets. */
function get(
  id: string,
  headers: Record<string, string> = {},
  token = scene.api.token,
  method = "GET",
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const url = `${scene.server.url}/plans/${id}/policy-input`;
  const asked = request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } }, (answer) => {
    answer.toArray().then((pieces: Buffer[]) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) });
    }, reject);
  });
  asked.on("error", reject).end();
  return promise;
}

const codeOf = ({ body }: Answer): unknown => (JSON.parse(body.toString()) as { code?: unknown }).code;

describe("GET /plans/<id>/policy-input", () => {
  it("gives the document that was sent, as the client reads it, and names what is left out", async () => {
    const plain = await get(planId);
    expect(plain.status).toBe(200);
    expect(JSON.parse(plain.body.toString())).toEqual(DOCUMENT);
    expect(plain.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(JSON.stringify(DOCUMENT))),
      "content-disposition": `attachment; filename="${planId}.json"`,
      "holdpoint-truncated": "prior_state, custom.tfsec",
    });
    const zstd = await get(planId, { "accept-encoding": "gzip, zstd" });
    expect(zstd.headers["content-encoding"]).toBe("zstd");
    expect(zstd.body.equals(packDocument(DOCUMENT))).toBe(true);
    expect(zstdDecompressSync(zstd.body).equals(plain.body)).toBe(true);
    const gzip = await get(planId, { "accept-encoding": "gzip" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  });

  it("never changes: a client that has it gets nothing", async () => {
    const { headers } = await get(planId);
    const tag = String(headers["etag"]);
    expect(await get(planId, { "if-none-match": tag })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await get(planId, { "if-none-match": tag, "accept-encoding": "gzip" })).status).toBe(200);
    expect(await get(planId, {}, undefined, "HEAD")).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  });

  it("is for those who may approve the plan", async () => {
    const token = async (role: string): Promise<string> => (await scene.login(role, { name: `i-${role}` })).token;
    expect((await get(planId, {}, await token("APPROVER"))).status).toBe(200);
    for (const role of ["READER", "WRITER"]) {
      const refused = await get(planId, {}, await token(role));
      expect([refused.status, codeOf(refused)]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await get(planId, {}, "hpt_nothing")).status).toBe(401);
    const absent = await get("plan_00000000000000000000000000");
    expect([absent.status, codeOf(absent)]).toEqual([404, "NOT_FOUND"]);
    expect((await get(spot.runId)).status).toBe(404);
  });

  it("says whether there never was one, or retention has removed it", async () => {
    const without = await scene.plan(await scene.createWorkspace());
    const none = await get(await planOf(without));
    expect([none.status, codeOf(none)]).toEqual([404, "NO_DOCUMENT"]);
    await scene.quick("discardRun", { runId: spot.runId });
    const organizationId = DEFAULT_ORGANIZATION_ID;
    await scene.quick("updateOrganization", { organizationId, retention: { archiveDays: 1 } });
    scene.server.advance(3 * 24 * 60 * 60 * 1000);
    await retentionRound(scene.server.deps, () => undefined);
    const gone = await get(planId);
    expect([gone.status, codeOf(gone)]).toEqual([410, "EXPIRED"]);
    // Its cost can still be read.
    const ask = `query ($id: ID!) { node(id: $id) { ... on Plan { cost { currency monthlyBefore monthlyAfter monthlyDelta source
      unsupported resources { address monthlyBefore monthlyAfter } } actionInvocationCount actionInvocations { address } } } }`;
    expect((await scene.api.ask(ask, { id: planId })).node).toEqual({
      cost: {
        currency: "EUR",
        monthlyBefore: "10.50",
        monthlyAfter: "12.00",
        monthlyDelta: "1.50",
        source: "infracost",
        unsupported: 3,
        resources: [{ address: "aws_instance.web", monthlyBefore: "10.50", monthlyAfter: "12.00" }],
      },
      actionInvocationCount: 0,
      actionInvocations: [],
    });
  });
});
