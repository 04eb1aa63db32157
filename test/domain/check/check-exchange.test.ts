/** Requests to external checks and their reports, in all orders, by a service that keeps to HCP's schemas. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { checkToken } from "../../../src/domain/check/check-token.ts";
import { sendRequest } from "../../../src/network/send-request.ts";
import type { CheckStage } from "../../../src/model/check/external-check.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { insertResults } from "../../../src/persistence/check/check-result-store.ts";
import type { Data } from "../../support/api.ts";
import { type CheckWork, createCheck, resultsOf, sendCheckCommand, startCheckWork } from "../../support/check-steps.ts";
import type { InProcess } from "../../support/in-process.ts";
import {
  answered,
  fetchFor,
  report,
  type RunTaskService,
  sendReport,
  startRunTaskService,
} from "../../support/run-task-service.ts";
import { createArrivals, startWebhookTarget } from "../../support/webhook-target.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { packDocument, SMALL_PLAN } from "../../support/plan-documents.ts";
import type { TaskRequest } from "../../support/run-task-schemas.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Place, type Scene } from "../scene.ts";

let scene: Scene;
let other: InProcess;
let service: RunTaskService;
let work: CheckWork;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  other = await scene.server.second();
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  expect(service.refused).toEqual([]);
  // Nothing of one test is due in the next one.
  await scene.rows(
    "update external_check_result set status = 'CANCELED', due_at = null, finished_at = now() where due_at is not null",
  );
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

interface Asked {
  checkId: string;
  resultId: string;
  runId: string;
}

/** A result of a check about a run that is at its stage. */
async function ask(input: { stage?: CheckStage; place?: Place; runId?: string; check?: object } = {}): Promise<Asked> {
  const { stage = "PRE_PLAN", place = "QUEUED", check = {} } = input;
  const checkId = await createCheck(scene.api, service, { ...check, stages: [stage] });
  // The test orders what is asked by itself.
  await scene.rows("update external_check set selector = $2 where id = $1", checkId, JSON.stringify(NOTHING));
  const runId = input.runId ?? (await scene.reach(place)).runId;
  const { deps } = scene.server;
  const [row] = await scene.rows(
    "select c.*, r.plan_version from external_check c, run r where c.id = $1 and r.id = $2",
    checkId,
    runId,
  );
  const resultId = deps.newId("externalCheckResult");
  await deps.database.transaction((tx) =>
    insertResults(tx, [
      {
        id: resultId,
        checkId,
        runId,
        stage,
        planVersion: row?.["plan_version"],
        level: row?.["level"],
        onError: row?.["on_error"],
        estimatesCost: row?.["estimates_cost"] && stage !== "PRE_PLAN",
        progressSeconds: row?.["progress_seconds"],
        totalSeconds: row?.["total_seconds"],
        createdAt: deps.clock().toISOString(),
      },
    ]),
  );
  return { checkId, resultId, runId };
}
const NOTHING = { labels: [], names: ["no-such-workspace"], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] };

async function resultOf({ runId, resultId }: Asked): Promise<Data> {
  const found = (await resultsOf(scene.api, runId)).find(({ id }) => id === resultId);
  if (found === undefined) throw new Error(`${resultId} is not among the results.`);
  return found;
}
const send = (request: TaskRequest, body: object | string, url = scene.server.url) => sendReport(url, request, body);
const accepted = { status: 200, errors: [] };
const seconds = (count: number): void => scene.server.advance(count * 1000);

describe("a request", () => {
  it("fits the schemas, is signed, and names the run, its workspace and this one result", async () => {
    const asked = await ask({ place: "QUEUED" });
    expect(await work.step()).toBe(1);
    const [request] = service.requests;
    const run = await scene.run(asked.runId);
    expect(request).toMatchObject({
      stage: "pre_plan",
      task_result_id: asked.resultId,
      task_result_enforcement_level: "mandatory",
      task_result_callback_url: `http://localhost/check-results/${asked.resultId}/callback`,
      configuration_version_download_url: `http://localhost/check-results/${asked.resultId}/source`,
      run_id: asked.runId,
      run_created_at: run["createdAt"] ?? request?.run_created_at,
      organization_name: "default",
      workspace_id: run["workspace"].id,
      is_speculative: false,
      vcs_repo_url: null,
    });
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 1, attemptError: null });
    // Nothing more is due.
    expect(await work.step()).toBe(0);
  });

  it("after the plan names the plan, and is mandatory to the service if people may override it", async () => {
    const { runId } = await ask({ stage: "PRE_APPLY", place: "CONFIRMED", check: { level: "SOFT_MANDATORY" } });
    await ask({ stage: "PRE_APPLY", runId, check: { level: "ADVISORY" } });
    expect(await work.step()).toBe(2);
    const levels = service.requests.map((request) => request.task_result_enforcement_level);
    expect(levels.toSorted()).toEqual(["advisory", "mandatory"]);
    expect(service.requests.every((request) => "plan_json_api_url" in request)).toBe(true);
  });

  it("that is not accepted is made five times within some five minutes, with one id and one token", async () => {
    service.answer(answered(500), answered(302, { location: "http://169.254.169.254/" }), answered(201));
    const asked = await ask();
    const pauses: number[] = [];
    for (let i = 0; i < 4; i++) {
      expect(await work.step()).toBe(1);
      expect(await work.step()).toBe(0);
      const { dueAt } = await resultOf(asked);
      pauses.push((Date.parse(dueAt) - scene.server.deps.clock().getTime()) / 1000);
      seconds(pauses.at(-1) ?? 0);
    }
    expect(pauses.reduce((sum, pause) => sum + pause)).toBe(300);
    expect(await work.step()).toBe(1);
    expect(service.requests).toHaveLength(5);
    expect(new Set(service.requests.map((request) => request.access_token)).size).toBe(1);
    expect(await resultOf(asked)).toMatchObject({
      status: "ERRORED",
      attempts: 5,
      message: expect.stringContaining("did not accept 5 requests. The service answered with status 201"),
      dueAt: null,
    });
    const [request] = service.requests;
    if (request === undefined) throw new Error("There was no request.");
    expect((await send(request, report("passed"))).status).toBe(401);
  });

  it("to an address that became internal is not made", async () => {
    const asked = await ask();
    await scene.rows("update external_check set url = 'http://169.254.169.254/latest/' where id = $1", asked.checkId);
    await work.step();
    expect(await resultOf(asked)).toMatchObject({
      status: "PENDING",
      attemptError: expect.stringContaining("The address is not public."),
    });
  });

  it("whose address resolves to an internal one is not made", async () => {
    const resolved = startCheckWork(scene.server.deps, {
      allowed: [],
      resolve: (_name, _options, callback) => callback(null, [{ address: "::ffff:10.0.0.1", family: 6 }]),
    });
    const asked = await ask();
    await scene.rows("update external_check set url = 'http://rebound.example.com/' where id = $1", asked.checkId);
    await resolved.step();
    expect(await resultOf(asked)).toMatchObject({ attemptError: expect.stringContaining("not public") });
    await resolved[Symbol.asyncDispose]();
  });

  it("is answered in time after 14.9 s, and not after 15", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const post = () => {
        const body = JSON.stringify({});
        const request = { url: slow.url, headers: {}, body };
        const transport = { allowed: scene.server.deps.webhookAllow, limits: LIMITS.checkRequest };
        return sendRequest(request, transport, new AbortController().signal);
      };
      await using slow = await startSlowService();
      const inTime = post();
      const first = await slow.next();
      vi.advanceTimersByTime(14_900);
      first();
      expect(await inTime).toMatchObject({ statusCode: 200, error: null });
      const tooLate = post();
      await slow.next();
      vi.advanceTimersByTime(15_000);
      expect(await tooLate).toMatchObject({
        statusCode: null,
        error: "The target sent no response within 15000 ms.",
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

/** Answers with 200 when a test says so. */
async function startSlowService() {
  const target = await startWebhookTarget();
  const waiting = createArrivals<() => void>();
  target.answer((response) => waiting.push(() => void response.writeHead(200).end()));
  return {
    url: target.url,
    next: () => waiting.next(),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
}

describe("a report", () => {
  /** A result whose service has the request. */
  async function running(input: Parameters<typeof ask>[0] = {}): Promise<Asked & { request: TaskRequest }> {
    const asked = await ask(input);
    await work.step();
    const request = service.requests.find((one) => one.task_result_id === asked.resultId);
    if (request === undefined) throw new Error("The service has no request.");
    return { ...asked, request };
  }

  it("of progress, then of the end, is shown with its outcomes", async () => {
    const asked = await running();
    expect(await send(asked.request, report("running", { message: "scanning" }))).toEqual(accepted);
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", message: "scanning", outcomes: [] });
    const outcome = {
      "outcome-id": "S3-1",
      description: "The bucket is public",
      body: "# Why\n<script>alert(1)</script><img src=x onerror=alert(1)>",
      url: "https://scanner.example.com/s3-1",
      tags: { Severity: [{ label: "High", level: "error" }, { label: "New" }], "Cost Centre": [{ label: "IT" }] },
    };
    const end = report("failed", { message: "1 failed", url: "https://scanner.example.com/run", outcomes: [outcome] });
    expect(await send(asked.request, end)).toEqual(accepted);
    expect(await resultOf(asked)).toMatchObject({
      status: "FAILED",
      message: "1 failed",
      url: "https://scanner.example.com/run",
      dueAt: null,
      outcomes: [
        {
          outcomeId: "S3-1",
          description: "The bucket is public",
          // As it was sent: HTML is text, which only JSON carries.
          body: outcome.body,
          url: outcome.url,
          tags: [
            {
              name: "Severity",
              labels: [
                { label: "High", level: "ERROR" },
                { label: "New", level: "NONE" },
              ],
            },
            { name: "Cost Centre", labels: [{ label: "IT", level: "NONE" }] },
          ],
        },
      ],
    });
  });

  it("twice counts once, and another one after the end is refused", async () => {
    const asked = await running();
    expect(await send(asked.request, report("passed", { message: "good" }))).toEqual(accepted);
    expect(await send(asked.request, report("passed", { message: "again" }))).toEqual(accepted);
    for (const status of ["failed", "running"] as const) {
      const { status: code, errors } = await send(asked.request, report(status));
      expect([code, errors[0]?.title]).toEqual([422, expect.stringContaining("has ended as passed")]);
    }
    expect(await resultOf(asked)).toMatchObject({ status: "PASSED", message: "good" });
  });

  it("at the same time on two servers ends the result once", async () => {
    const asked = await running();
    const statuses = await Promise.all([
      send(asked.request, report("passed")),
      send(asked.request, report("failed"), other.url),
    ]).then((answers) => answers.map(({ status }) => status));
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 422]);
    const ended = (
      await scene.rows("select data from run_event where run_id = $1 and type = 'CHECK_CHANGED'", asked.runId)
    )
      .map(({ data }) => data.to)
      .filter((to) => to !== "RUNNING");
    expect(ended).toHaveLength(1);
  });

  it("before the answer to the request counts, whatever that answer is", async () => {
    const asked = await ask();
    service.answer((response, request) => {
      void send(request, report("passed")).then(() => response.writeHead(500).end());
    });
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "PASSED" });
    expect(await work.step()).toBe(0);
  });

  it("of progress before a refused answer keeps the result, and nothing is sent again", async () => {
    const asked = await ask();
    service.answer((response, request) => {
      void send(request, report("running")).then(() => response.writeHead(500).end());
    });
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 1 });
    seconds(60);
    expect(await work.step()).toBe(0);
    expect(await send(service.requests[0] ?? noRequest(), report("passed"))).toEqual(accepted);
  });

  it("with the token of another result, of another round or of none is 401", async () => {
    const [one, two] = [await running(), await running()];
    const mixed = { ...one.request, access_token: two.request.access_token };
    const wrong = ["", "hpk_x", `${one.request.access_token}x`, scene.api.token];
    for (const request of [mixed, ...wrong.map((token) => ({ ...one.request, access_token: token }))]) {
      const { status, errors } = await send(request, report("passed"));
      expect([status, errors[0]?.status, errors[0]?.code]).toEqual([401, "401", "UNAUTHENTICATED"]);
    }
    const next = checkToken(scene.server.deps.cipher, { id: one.resultId, round: 2 });
    expect((await send({ ...one.request, access_token: next }, report("passed"))).status).toBe(401);
    expect(await resultOf(one)).toMatchObject({ status: "RUNNING" });
    scene.server.advance(5 * 60_000);
  });

  it.each(
    walk(
      [
        ["no JSON", "passed", ""],
        ["an array", "[]", ""],
        ["another type", { data: { type: "task-result", attributes: { status: "passed" } } }, "/data/type"],
        ["no attributes", { data: { type: "task-results" } }, "/data/attributes"],
        ["an unknown status", reportOf({ status: "pending" }), "/data/attributes/status"],
        ["a long message", reportOf({ status: "passed", message: "m".repeat(1001) }), "/data/attributes/message"],
        ["a link that runs", reportOf({ status: "passed", url: "javascript:alert(1)" }), "/data/attributes/url"],
        [
          "300 outcomes",
          withOutcomes(Array.from({ length: 300 }, () => ({}))),
          "/data/relationships/outcomes/data must",
        ],
        ["an outcome without an id", withOutcomes([{ "outcome-id": undefined }]), "/data/0/attributes/outcome-id"],
        ["an outcome of more than 256 KiB", withOutcomes([{ body: "b".repeat(256 * 1024) }]), "/data/0 must"],
        [
          "outcomes of more than 5 MiB",
          withOutcomes(Array.from({ length: 21 }, () => ({ body: "b".repeat(250 * 1024) }))),
          "/data must have at most 5242880 bytes together",
        ],
        ["an unknown weight", withOutcomes([{ tags: { a: [{ label: "l", level: "fatal" }] } }]), "/tags/a/0/level"],
      ],
      4,
    ),
  )("that is none is 422: %s", async (_what, body, pointer) => {
    const asked = await running();
    const { status, errors } = await send(asked.request, body);
    expect([status, errors[0]?.status, errors[0]?.code]).toEqual([422, "422", "INVALID_REPORT"]);
    expect(errors[0]?.title).toContain(pointer);
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", outcomes: [] });
  });

  it("of 200 outcomes, of empty texts and of fields that are not known is taken", async () => {
    const asked = await running();
    const most = withOutcomes(Array.from({ length: 200 }, (_, index) => ({ "outcome-id": `o${index}`, extra: 1 })));
    expect(await send(asked.request, most)).toEqual(accepted);
    expect((await resultOf(asked))["outcomes"]).toHaveLength(200);
    const empty = reportOf({ status: "running", message: "", url: "", unknown: true });
    expect(await send(asked.request, empty)).toEqual(accepted);
  });

  it("with its own token in a text shows no token", async () => {
    const asked = await running();
    const token = asked.request.access_token;
    const body = report("running", {
      message: `I have ${token}`,
      outcomes: [{ "outcome-id": "o", description: token, body: `<${token}>` }],
    });
    expect(await send(asked.request, body)).toEqual(accepted);
    expect(JSON.stringify(await resultsOf(scene.api, asked.runId))).not.toContain(token);
    expect(await resultOf(asked)).toMatchObject({ message: "I have ***" });
    const [stored] = await scene.rows("select r::text from external_check_result r where id = $1", asked.resultId);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it("with characters that Postgres refuses loses them", async () => {
    const asked = await running();
    const body = '{"data":{"type":"task-results","attributes":{"status":"running","message":"a\\u0000b\\ud800c"}}}';
    expect(await send(asked.request, body)).toEqual(accepted);
    expect(await resultOf(asked)).toMatchObject({ message: "ab\ufffdc" });
  });

  it("is too late after ten minutes of silence, which each report begins anew, and after an hour at all", async () => {
    const asked = await running();
    for (let i = 0; i < 6; i++) {
      seconds(599);
      expect(await work.step()).toBe(0);
      expect(await send(asked.request, report("running"))).toEqual(accepted);
    }
    seconds(6);
    expect(await work.step()).toBe(1);
    const message = "The check did not end within 3600 s.";
    expect(await resultOf(asked)).toMatchObject({ status: "TIMED_OUT", message });
    expect((await send(asked.request, report("passed"))).status).toBe(401);
    const silent = await running();
    seconds(600);
    await work.step();
    expect(await resultOf(silent)).toMatchObject({
      status: "TIMED_OUT",
      message: "The check reported nothing for 600 s.",
    });
  });
});

function noRequest(): never {
  throw new Error("There was no request.");
}
function reportOf(attributes: object): object {
  return { data: { type: "task-results", attributes } };
}
function withOutcomes(outcomes: object[]): object {
  const data = outcomes.map((one) => {
    return { type: "task-result-outcomes", attributes: { "outcome-id": "o", description: "d", ...one } };
  });
  return { data: { type: "task-results", attributes: { status: "running" }, relationships: { outcomes: { data } } } };
}

describe("the token of a result", () => {
  it("opens the source of its run, and ends with the result", async () => {
    await ask();
    await work.step();
    const request = service.requests[0] ?? noRequest();
    const read = () => fetchFor(scene.server.url, request.configuration_version_download_url, request.access_token);
    const source = await read();
    expect([source.status, source.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    expect(Buffer.from(await source.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    await send(request, report("passed"));
    expect((await read()).status).toBe(404);
  });

  it("opens the masked plan, as the engine describes it, without what hooks added", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    const document = { plan: SMALL_PLAN, custom: { infracost: { secret: "of a hook" } } };
    expect((await job.request("PUT", "document", packDocument(document))).status).toBeLessThan(300);
    await job.request("PUT", "archive", Buffer.from("archive"));
    expect((await job.message({ type: "planned", plan: fakePlan() })).status).toBeLessThan(300);
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    await ask({ stage: "PRE_APPLY", runId });
    await work.step();
    const request = service.requests[0] ?? noRequest();
    const url = "plan_json_api_url" in request ? request.plan_json_api_url : null;
    const plan = await fetchFor(scene.server.url, url, request.access_token);
    expect([plan.status, plan.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await plan.json()).toEqual(SMALL_PLAN);
    await send(request, report("passed"));
    expect((await fetchFor(scene.server.url, url, request.access_token)).status).toBe(404);
  });

  it("is no token of the API, of a runner or of another route", async () => {
    await ask();
    await work.step();
    const { access_token: token, run_id: runId } = service.requests[0] ?? noRequest();
    for (const path of ["/graphql?query=%7B__typename%7D", `/runs/${runId}/log`, "/state-versions/sv_x", "/metrics"]) {
      expect((await fetchFor(scene.server.url, `http://localhost${path}`, token)).status).toBe(401);
    }
  });
});

describe("a result that is of no use any more", () => {
  it("is canceled with its run: the service is told nothing more, and its token ends", async () => {
    const asked = await ask();
    await work.step();
    const request = service.requests[0] ?? noRequest();
    await scene.quick("cancelRun", { runId: asked.runId });
    expect((await send(request, report("passed"))).status).toBe(401);
    seconds(600);
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "CANCELED" });
    expect(service.requests).toHaveLength(1);
  });

  it.each(["deleteExternalCheck", "updateExternalCheck"] as const)("is canceled by %s", async (command) => {
    const asked = await ask();
    await work.step();
    const request = service.requests[0] ?? noRequest();
    const input = { checkId: asked.checkId, ...(command === "updateExternalCheck" && { enabled: false }) };
    expect((await sendCheckCommand(scene.api, command, input))["code"]).toBeUndefined();
    expect((await send(request, report("passed"))).status).toBe(401);
    expect(await work.step()).toBe(1);
    expect(await resultOf(asked)).toMatchObject({ status: "CANCELED", message: "The check was deleted or disabled." });
  });

  it("whose workspace was deleted ends without its run", async () => {
    const asked = await ask({ place: "READY" });
    const { workspace } = await scene.run(asked.runId, "workspace");
    await scene.quick("cancelRun", { runId: asked.runId });
    await scene.send("deleteWorkspace", { workspaceId: workspace.id });
    expect(await scene.workspace(workspace.id)).toBeNull();
    await work.step();
    const [row] = await scene.rows("select status from external_check_result where id = $1", asked.resultId);
    expect(row).toEqual({ status: "CANCELED" });
  });
});

describe("asking again", () => {
  it("begins anew with another token, and ends the former one", async () => {
    const asked = await ask();
    await work.step();
    const first = service.requests[0] ?? noRequest();
    await send(first, report("failed", { message: "no", outcomes: [{ "outcome-id": "o", description: "d" }] }));
    const { result } = await sendCheckCommand(scene.api, "retryExternalCheck", { resultId: asked.resultId });
    expect(result).toMatchObject({ status: "PENDING", round: 2, attempts: 0, message: null });
    expect((await send(first, report("failed"))).status).toBe(401);
    await work.step();
    const second = service.requests[1] ?? noRequest();
    expect(second.access_token).not.toBe(first.access_token);
    expect(await send(second, report("passed"))).toEqual(accepted);
    expect(await resultOf(asked)).toMatchObject({ status: "PASSED", round: 2, outcomes: [] });
    const again = await sendCheckCommand(scene.api, "retryExternalCheck", { resultId: asked.resultId });
    expect(again).toMatchObject({ code: "RUN_STATE_CONFLICT", message: "The external check has passed." });
  });

  it("is refused once the run has gone on, or the check is gone", async () => {
    const [gone, deleted] = [await ask(), await ask()];
    await scene.quick("cancelRun", { runId: gone.runId });
    const first = await sendCheckCommand(scene.api, "retryExternalCheck", { resultId: gone.resultId });
    expect(first).toMatchObject({ code: "RUN_STATE_CONFLICT", message: expect.stringContaining("PRE_PLAN") });
    await sendCheckCommand(scene.api, "deleteExternalCheck", { checkId: deleted.checkId });
    const second = await sendCheckCommand(scene.api, "retryExternalCheck", { resultId: deleted.resultId });
    expect(second).toMatchObject({ code: "RUN_STATE_CONFLICT", message: expect.stringContaining("deleted") });
  });

  it("takes the permission to create such a run", async () => {
    const { resultId } = await ask();
    const reader = await scene.login("READER");
    const refused = await sendCheckCommand(reader, "retryExternalCheck", { resultId });
    expect(refused).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("RUN_DEPLOY") });
  });
});

describe("two servers", () => {
  it("make one request, and the other takes it over from one that died in the middle of it", async () => {
    const asked = await ask();
    const theirs = startCheckWork(other.deps);
    expect((await Promise.all([work.step(), theirs.step()])).toSorted((one, two) => one - two)).toEqual([0, 1]);
    expect(service.requests).toHaveLength(1);
    const lost = await ask();
    // A server took it, and died before it sent anything.
    const lease = "update external_check_result set lease_id = 'dead', lease_until = $2 where id = $1";
    const until = new Date(scene.server.deps.clock().getTime() + LIMITS.checkLeaseMs).toISOString();
    await scene.rows(lease, lost.resultId, until);
    expect(await theirs.step()).toBe(0);
    seconds(LIMITS.checkLeaseMs / 1000);
    expect(await theirs.step()).toBe(1);
    expect(await resultOf(lost)).toMatchObject({ status: "RUNNING", attempts: 1 });
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING" });
    await theirs[Symbol.asyncDispose]();
  });

  it("that stop in the middle of a request give it back at once", async () => {
    const asked = await ask();
    service.answer(() => undefined);
    const stopping = startCheckWork(scene.server.deps);
    expect(await stopping.begin()).toBe(1);
    await service.next();
    await stopping[Symbol.asyncDispose]();
    service.answer(answered(200));
    expect(await work.step()).toBe(1);
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 1 });
    expect(new Set(service.requests.map((request) => request.access_token)).size).toBe(1);
  });

  it("wait for a request in progress without asking for what is due", async () => {
    const held = createArrivals<() => void>();
    service.answer((response) => held.push(() => void response.writeHead(200).end()));
    await ask();
    await using theirs = startCheckWork(other.deps);
    expect([await work.waitMs(), await theirs.waitMs()]).toEqual([0, 0]);
    expect(await work.begin()).toBe(1);
    const answer = await held.next();
    expect([await work.waitMs(), await theirs.waitMs()]).toEqual([LIMITS.checkPollMs, LIMITS.checkPollMs]);
    answer();
    await work.idle();
  });
});
