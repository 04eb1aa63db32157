import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sweepUploads } from "../../src/domain/source/upload-source.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { waitFor } from "../support/eventually.ts";
import { packed } from "../support/tar.ts";

const HOUR_MS = 60 * 60 * 1000;

let scene: Scene;
let tokens: Record<"READER" | "WRITER" | "APPROVER" | "ADMIN", string>;
beforeAll(async () => {
  scene = await openScene();
  const token = async (role: string): Promise<string> => (await scene.login(role)).token;
  tokens = {
    READER: await token("READER"),
    WRITER: await token("WRITER"),
    APPROVER: await token("APPROVER"),
    ADMIN: scene.api.token,
  };
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

interface Answer {
  status: number;
  body: Data;
}

async function post(path: string, body: string | Buffer, type: string, token = tokens.ADMIN): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const response = await fetch(`${scene.server.url}${path}`, {
    method: "POST",
    headers,
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: response.status, body: await response.json() };
}

const send = (body: Buffer, token?: string) => post("/sources", body, "application/gzip", token);
const files = (text: string) => packed([{ name: "main.tf", body: text }]);
const fromUpload = (uploadId: string) => ({ source: { upload: { uploadId } } });

async function workspaceFrom(uploadId: string, name: string): Promise<Data> {
  return scene.send("createWorkspace", { name, ...fromUpload(uploadId) });
}

describe("POST /sources", () => {
  it("keeps an archive; the same content has the same digest and is kept once", async () => {
    const first = await send(await files("same"), tokens.WRITER);
    const second = await send(await packed([{ name: "./main.tf", body: "same", mtime: new Date() }]), tokens.APPROVER);
    expect(first).toMatchObject({ status: 201, body: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(Object.keys(first.body).toSorted()).toEqual(["digest", "size", "uploadId"]);
    expect(second.body.digest).toBe(first.body.digest);
    expect(second.body.uploadId).not.toBe(first.body.uploadId);
    const rows = await scene.rows("select count(*) from blob where digest = $1", first.body.digest);
    expect(rows).toEqual([{ count: 1 }]);
  });

  it.each([
    ["none", 401, "UNAUTHENTICATED"],
    ["READER", 403, "FORBIDDEN"],
  ] as const)("is not for the role %s", async (role, status, code) => {
    const token = role === "none" ? "hpt_nobody" : tokens[role];
    expect(await send(await files("x"), token)).toMatchObject({ status, body: { code } });
  });

  it("refuses what is no archive, or a bad one, with what is wrong", async () => {
    const climbing = await packed([{ name: "../../etc/cron.d/x", body: "x" }]);
    expect(await send(climbing)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", message: expect.stringContaining("archive: holds the name") },
    });
    const cut = (await files("x".repeat(5000))).subarray(0, 30);
    expect(await send(cut)).toEqual({
      status: 400,
      body: {
        code: "INVALID_INPUT",
        message: "archive: is not a whole tar.gz.",
        issues: [{ path: ["archive"], message: "is not a whole tar.gz." }],
      },
    });
    expect(await post("/sources", "{}", "application/json")).toMatchObject({
      status: 415,
      body: { code: "UNSUPPORTED_MEDIA_TYPE" },
    });
    const got = await fetch(`${scene.server.url}/sources`, { headers: { authorization: `Bearer ${tokens.ADMIN}` } });
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const rejected = await scene.rows("select code from rejected_command where command = 'uploadSource'");
    expect(rejected.map(({ code }: Data) => code)).toEqual(expect.arrayContaining(["FORBIDDEN", "INVALID_INPUT"]));
  });

  it("refuses a body whose announced length is too large before it is sent", async () => {
    const { hostname, port } = new URL(scene.server.url);
    const socket = connect(Number(port), hostname);
    const head = ["POST /sources HTTP/1.1", "host: x", `authorization: Bearer ${tokens.WRITER}`];
    head.push("content-type: application/gzip", `content-length: ${LIMITS.sourceBytes + 1}`, "", "");
    socket.write(head.join("\r\n"));
    let answer = "";
    for await (const piece of socket) answer += String(piece);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"TOO_LARGE"');
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("forgets a body that breaks off", async () => {
    const before = await scene.rows("select count(*) from upload");
    const { hostname, port } = new URL(scene.server.url);
    const socket = connect(Number(port), hostname);
    const head = ["POST /sources HTTP/1.1", "host: x", `authorization: Bearer ${tokens.WRITER}`];
    head.push("content-type: application/gzip", "content-length: 1000", "expect: 100-continue", "", "");
    socket.write(head.join("\r\n"));
    // The server asks for the body: it is reading.
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write("x".repeat(500), () => socket.destroy());
    await new Promise((resolve) => socket.once("close", resolve));
    // Two at a time: were it held up, the third would wait for ever.
    for (const text of ["a", "b", "c"]) expect((await send(await files(text))).status).toBe(201);
    const after = await scene.rows("select count(*) from upload");
    expect(Number(after[0].count) - Number(before[0].count)).toBe(3);
  });

  it("ends an upload that has gone silent, and admits the next one of its token", async () => {
    const answers = Array.from({ length: LIMITS.transfersPerToken }, () => beginUpload()).map(answerOf);
    expect((await send(await files("patient"), tokens.WRITER)).status).toBe(201);
    for (const answer of await Promise.all(answers)) {
      expect(answer).toContain("HTTP/1.1 408 ");
      expect(answer).toContain('"code":"TIMED_OUT"');
    }
  });

  it("keeps no other token waiting, however many slow uploads one has, and forgets those that have left", async () => {
    const slow = Array.from({ length: 50 }, () => beginUpload());
    const answers = slow.map(() => "");
    for (const [index, socket] of slow.entries()) socket.on("data", (piece) => (answers[index] += String(piece)));
    await waitFor(() => expect(answers.filter((answer) => answer.includes(" 100 Continue"))).toHaveLength(50));
    expect((await send(await files("of another token"), tokens.ADMIN)).status).toBe(201);
    expect(answers.filter((answer) => answer.includes("HTTP/1.1 4"))).toEqual([]);
    for (const socket of slow) socket.destroy();
    expect((await send(await files("of the same"), tokens.WRITER)).status).toBe(201);
  });
});

/** Announces an archive and sends the first bytes of it. */
function beginUpload(): Socket {
  const { hostname, port } = new URL(scene.server.url);
  const head = ["POST /sources HTTP/1.1", "host: x", `authorization: Bearer ${tokens.WRITER}`];
  head.push("content-type: application/gzip", "content-length: 1000", "expect: 100-continue", "", "");
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join("\r\n")}first`);
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  let answer = "";
  for await (const piece of socket) answer += String(piece);
  return answer;
}

describe("a workspace of an upload", () => {
  it("gives every run the archive that was sent", async () => {
    const { body: upload } = await send(await files("uploaded"));
    const made = await workspaceFrom(upload.uploadId, "uploaded");
    const workspaceId = made.workspace.id;
    const shown = await scene.api.ask(
      `query ($id: ID!) { workspace(by: { id: $id }) { source { __typename ... on UploadSource { digest } } } }`,
      { id: workspaceId },
    );
    expect(shown.workspace.source).toEqual({ __typename: "UploadSource", digest: upload.digest });
    const runId = await scene.createRun(workspaceId);
    const { run } = await scene.api.ask("query ($id: ID!) { run(id: $id) { revision } }", { id: runId });
    expect(run.revision).toBe(upload.digest);
    const job = await scene.claim(runId);
    expect(job.job.source?.digest).toBe(upload.digest);
  });

  it("needs an upload that is there, and not older than a day", async () => {
    const { body: old } = await send(await files("old"));
    scene.server.advance(25 * HOUR_MS);
    for (const uploadId of [old.uploadId, "upl_00000000000000000000000000", "run_x", "", "a\0"]) {
      expect(await scene.send("createWorkspace", { name: "no", ...fromUpload(uploadId) })).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: ["source", "upload", "uploadId"] }],
      });
    }
  });

  it("keeps its upload; others are swept away after a day, with what they held", async () => {
    await sweepUploads(scene.server.deps);
    const { body: used } = await send(await files("used"));
    const { body: unused } = await send(await files("unused"));
    const { workspace } = await workspaceFrom(used.uploadId, "keeps");
    const uploads = async (): Promise<string[]> =>
      (await scene.rows("select id from upload where id = any($1)", [used.uploadId, unused.uploadId])).map(
        ({ id }) => id,
      );
    scene.server.advance(24 * HOUR_MS);
    await sweepUploads(scene.server.deps);
    expect(await uploads()).toHaveLength(2);
    scene.server.advance(2 * HOUR_MS);
    expect(await sweepUploads(scene.server.deps)).toBeGreaterThan(0);
    expect(await uploads()).toEqual([used.uploadId]);
    expect(await scene.rows("select id from blob where digest = $1", unused.digest)).toEqual([]);
    // The run keeps the archive when the workspace has moved on.
    const runId = await scene.createRun(workspace.id);
    await scene.rows(`update workspace set source = '{"type":"directory","path":"/"}' where id = $1`, workspace.id);
    await sweepUploads(scene.server.deps);
    expect(await uploads()).toEqual([]);
    expect((await scene.claim(runId)).job.source?.digest).toBe(used.digest);
  });
});

const LINEAGE = "5e0c3a1b-0000-4000-8000-000000000001";
const state = (serial: number, more: object = {}) =>
  JSON.stringify({
    version: 4,
    terraform_version: "1.11.4",
    serial,
    lineage: LINEAGE,
    outputs: {
      url: { value: "https://example.com", type: "string" },
      password: { value: "hidden", type: "string", sensitive: true },
      careless: { value: "token=c0mplicated-secret", type: "string" },
    },
    resources: [{ mode: "managed", type: "terraform_data", name: "a", instances: [{}] }],
    check_results: null,
    ...more,
  });
const bring = (workspaceId: string, body: string, token?: string) =>
  post(`/workspaces/${workspaceId}/state`, body, "application/json", token);

describe("POST /workspaces/<id>/state", () => {
  it("takes over a state before the first run; outputs are shown, secrets are not", async () => {
    const workspaceId = await scene.createWorkspace();
    const secret = { workspaceId, key: "token", value: "c0mplicated-secret", sensitive: true };
    await scene.send("setVariable", secret);
    expect(await bring(workspaceId, state(7))).toEqual({
      status: 201,
      body: { workspaceId, serial: 7, lineage: LINEAGE },
    });
    expect((await scene.workspace(workspaceId)).outputs).toEqual([
      { name: "url", value: "https://example.com", sensitive: false },
      { name: "password", value: null, sensitive: true },
      { name: "careless", value: null, sensitive: true },
    ]);
    const rows = await scene.rows("select * from state_version where workspace_id = $1", workspaceId);
    expect(rows).toMatchObject([{ serial: 7, run_id: null, job_id: null }]);
    const runId = await scene.createRun(workspaceId);
    const job = await scene.claim(runId);
    expect(job.job.stateSerial).toBe(7);
    expect((await job.request("GET", "state")).body).toEqual(JSON.parse(state(7)));
  });

  it("accepts the same state again, a later one of its lineage, and nothing else", async () => {
    const workspaceId = await scene.createWorkspace();
    expect((await bring(workspaceId, state(3))).status).toBe(201);
    expect((await bring(workspaceId, state(3))).status).toBe(200);
    expect((await bring(workspaceId, state(5))).status).toBe(201);
    const refused = { status: 409, body: { code: "STATE_REFUSED" } };
    expect(await bring(workspaceId, state(5, { outputs: {} }))).toMatchObject(refused);
    expect(await bring(workspaceId, state(4))).toMatchObject(refused);
    const other = await bring(workspaceId, state(9, { lineage: "another" }));
    expect(other).toMatchObject(refused);
    expect(other.body.message).toContain(LINEAGE);
    const rejected = await scene.rows("select code from rejected_command where subject_id = $1", workspaceId);
    expect(rejected).toHaveLength(3);
    expect((await scene.workspace(workspaceId)).outputs).toHaveLength(3);
  });

  it("waits for no run: while one is live it is refused", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(await bring(workspaceId, state(1))).toMatchObject({ status: 409, body: { code: "RUN_STATE_CONFLICT" } });
    await scene.send("discardRun", { runId });
    expect((await bring(workspaceId, state(1))).status).toBe(201);
  });

  it.each([
    ["no JSON", "no json"],
    ["no state", "{}"],
    ["another version", state(1, { version: 3 })],
    [
      "an encrypted one",
      JSON.stringify({ serial: 1, lineage: LINEAGE, encrypted_data: "x", encryption_version: "v0" }),
    ],
    ["no lineage", state(1, { lineage: "" })],
    ["a serial that is none", state(1.5)],
    ["a negative serial", state(-1)],
    ["a serial past what can be kept", state(1).replace('"serial":1', '"serial":9007199254740993')],
    ["a serial past the limit", state(2 ** 52 + 1)],
    ["resources that are none", state(1, { resources: {} })],
  ])("refuses %s", async (_what, body) => {
    const workspaceId = await scene.createWorkspace();
    expect(await bring(workspaceId, body)).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
  });

  it("takes serials up to 2^52, and names that limit", async () => {
    const workspaceId = await scene.createWorkspace();
    for (const serial of [2 ** 52 + 1, 2 ** 53 - 1]) {
      expect((await bring(workspaceId, state(serial))).body).toEqual({
        code: "MALFORMED",
        message: "serial: must be a whole number from 0 to 4503599627370496 (2^52)",
      });
    }
    expect((await bring(workspaceId, state(2 ** 52))).status).toBe(201);
  });

  it("is for admins, and reveals nothing about what does not exist", async () => {
    const workspaceId = await scene.createWorkspace();
    for (const role of ["READER", "WRITER", "APPROVER"] as const) {
      expect(await bring(workspaceId, state(1), tokens[role])).toMatchObject({ status: 403 });
    }
    expect(await bring(workspaceId, state(1), "hpt_nobody")).toMatchObject({ status: 401 });
    for (const id of ["ws_00000000000000000000000000", "run_x", "%00", "x"]) {
      expect(await bring(id, state(1))).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
  });

  it("is taken once of several that are brought at once", async () => {
    const workspaceId = await scene.createWorkspace();
    const lineages = ["a", "b", "c", "d"];
    const answers = await Promise.all(lineages.map((lineage) => bring(workspaceId, state(1, { lineage }))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });
});
