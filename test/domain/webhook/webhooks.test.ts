import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ringAlarms } from "../../../src/domain/lease/ring-alarms.ts";
import { deliver } from "../../../src/domain/webhook/deliver.ts";
import { enqueueRunWebhooks } from "../../../src/domain/lifecycle/enqueue-webhooks.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { createCipher } from "../../../src/persistence/installation/cipher.ts";
import { findRun } from "../../../src/persistence/run/run-store.ts";
import type { Api, Data } from "../../support/api.ts";
import { openScene, report, type Scene } from "../scene.ts";
import {
  type Deliverer,
  isSigned,
  readWebhookDeliveries,
  sendWebhookCommand,
  startDeliverer,
  type WebhookCommand,
} from "../../support/webhook-steps.ts";
import { startWebhookTarget, status, type WebhookTarget } from "../../support/webhook-target.ts";

const EVENTS = ["RUN_GATE_WAITING", "RUN_GATE_ESCALATED", "RUN_ENDED", "WORKSPACE_LOCKED", "WORKSPACE_UNLOCKED"];
let scene: Scene;
let target: WebhookTarget;
let deliverer: Deliverer;
beforeAll(async () => {
  scene = await openScene(1000, { webhooks: true });
});
beforeEach(async () => {
  target = await startWebhookTarget();
  deliverer = startDeliverer(scene.server);
});
afterEach(async () => {
  await deliverer[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  // Nothing of one test is sent in the next one.
  await scene.rows("update webhook set enabled = false");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const send = (command: WebhookCommand, input: object, api: Api = scene.api): Promise<Data> =>
  sendWebhookCommand(api, command, input);

/** A webhook for one workspace, so that tests do not hear of each other. */
async function listen(workspaceId: string | null, input: object = {}): Promise<{ id: string; secret: string }> {
  const made = await send("createWebhook", {
    organizationId: DEFAULT_ORGANIZATION_ID,
    workspaceId,
    url: `${target.url}/hook`,
    events: EVENTS,
    ...input,
  });
  return { id: made.webhook.id, secret: made.secret };
}

async function newest(webhookId: string): Promise<Data> {
  const [delivery] = await readWebhookDeliveries(scene.api, webhookId);
  return delivery;
}

describe("what is told", () => {
  it("a run that waits at its gates and ends: signed, with the plan, once each", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id, secret } = await listen(workspaceId);
    const runId = await scene.createRun(workspaceId, { message: "more of it" });
    await (await scene.claim(runId)).plan();
    const first = await target.next();
    expect(isSigned(first, secret)).toBe(true);
    expect(first.headers["content-type"]).toBe("application/json");
    const run = await scene.run(runId);
    expect(first.message).toMatchObject({
      type: "run.gate.waiting",
      data: {
        organization: { id: DEFAULT_ORGANIZATION_ID, slug: "default" },
        workspace: { id: workspaceId },
        run: {
          id: runId,
          number: 1,
          kind: "DEPLOY",
          status: "AWAITING_PLAN_APPROVAL",
          message: "more of it",
          createdBy: { id: run.createdBy.id, name: run.createdBy.name },
        },
        gate: "PLAN",
        planVersion: 1,
        plan: { version: 1, digest: run.plan.digest },
      },
    });
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    expect((await target.next()).message).toMatchObject({ type: "run.gate.waiting", data: { gate: "APPLY" } });
    await scene.quick("discardRun", { runId });
    const end = (await target.next()).message;
    expect(end).toMatchObject({ type: "run.ended", data: { run: { status: "DISCARDED" }, failure: null } });
    for (let i = 0; i < 3; i++) expect(await deliverer.next()).toBe("DELIVERED");
    const deliveries = await readWebhookDeliveries(scene.api, id);
    expect(deliveries.map(({ type, state, attempts }) => [type, state, attempts.length])).toEqual([
      ["run.ended", "DELIVERED", 1],
      ["run.gate.waiting", "DELIVERED", 1],
      ["run.gate.waiting", "DELIVERED", 1],
    ]);
    expect(first.headers["webhook-id"]).toBe(deliveries[2]?.["id"]);
    expect(first.body).toBe(deliveries[2]?.["payload"]);
  });

  it("each stage of a gate, when it is open", async () => {
    const approver = await scene.login("APPROVER");
    const rule = { gate: "PLAN", minimum: 1 };
    const { workspaceId, runId } = await scene.reach("READY", "DEPLOY", {
      approvalRules: [
        { ...rule, name: "team" },
        { ...rule, name: "platform" },
      ],
    });
    await listen(workspaceId, { events: ["RUN_GATE_WAITING"] });
    await (await scene.claim(runId)).plan();
    const told = async () => (await target.next()).message.data;
    expect(await told()).toMatchObject({ gate: "PLAN", stage: "team" });
    await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, approver);
    expect(await told()).toMatchObject({ gate: "PLAN", stage: "platform", run: { status: "AWAITING_PLAN_APPROVAL" } });
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    expect(await told()).toMatchObject({ gate: "APPLY", stage: null });
    for (let i = 0; i < 3; i++) expect(await deliverer.next()).toBe("DELIVERED");
  });

  it("how a run failed", async () => {
    const { workspaceId, runId, job } = await scene.reach("PLANNING");
    await listen(workspaceId, { events: ["RUN_ENDED"] });
    const message = "Error: secret provider text that is nobody's business";
    await job.message({ type: "failed", failure: report("PLAN_FAILED", { message, summary: "s".repeat(2000) }) });
    const { body, message: told } = await target.next();
    expect(told.data).toMatchObject({ run: { id: runId, status: "FAILED" }, failure: { code: "PLAN_FAILED" } });
    expect(told.data["failure"].summary).toHaveLength(500);
    expect(body).not.toContain("provider text");
    await deliverer.next();
  });

  it("a lock, its change and its end, with the person and the note", async () => {
    const workspaceId = await scene.createWorkspace();
    await listen(workspaceId);
    await scene.send("lockWorkspace", { workspaceId, note: "moving house" });
    const lock = { reason: "MANUAL", note: "moving house", runId: null };
    expect((await target.next()).message).toMatchObject({
      type: "workspace.locked",
      data: { workspace: { id: workspaceId }, lock, actor: { kind: "USER" } },
    });
    await scene.send("unlockWorkspace", { workspaceId });
    expect((await target.next()).message).toMatchObject({ type: "workspace.unlocked", data: { lock } });
    await deliverer.next();
    await deliverer.next();
  });

  it("the lock that an interrupted apply leaves, and its end by force", async () => {
    const { workspaceId, runId, job } = await scene.reach("APPLYING");
    await listen(workspaceId, { events: ["WORKSPACE_LOCKED", "WORKSPACE_UNLOCKED"] });
    await job.message({ type: "failed", failure: report("STATE_NOT_SAVED", { stateUncertain: true }) });
    const lock = { reason: "APPLY_INTERRUPTED", runId };
    expect((await target.next()).message).toMatchObject({
      type: "workspace.locked",
      data: { lock, actor: { kind: "SYSTEM" } },
    });
    await scene.send("unlockWorkspace", { workspaceId, force: true });
    expect((await target.next()).message).toMatchObject({
      type: "workspace.unlocked",
      data: { lock, actor: { kind: "USER" } },
    });
    for (let i = 0; i < 2; i++) await deliverer.next();
  });

  it("a gate that nobody came to", async () => {
    const limits = { planApprovalSeconds: 3600, approvalTimeoutAction: "ESCALATE" };
    await scene.login("APPROVER");
    const approvalRules = [{ name: "two", gate: "PLAN", minimum: 2, machinesCount: true }];
    const settings = { limits, approvalRules };
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", settings);
    const { id } = await listen(workspaceId);
    scene.server.advance(3_601_000);
    for (let i = 0; i < 2; i++) await ringAlarms(scene.server.deps, null);
    expect((await target.next()).message).toMatchObject({
      type: "run.gate.escalated",
      data: { gate: "PLAN", run: { id: runId } },
    });
    await deliverer.next();
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    await scene.quick("discardRun", { runId });
    expect((await target.next()).message.type).toBe("run.ended");
    await deliverer.next();
    // What happens to it afterwards is no second escalation.
    const told = (await readWebhookDeliveries(scene.api, id)).map(({ type }) => type);
    expect(told).toEqual(["run.ended", "run.gate.escalated"]);
  });

  it("only what a webhook listens for, of the places that it listens to, and only while it is enabled", async () => {
    const workspaceId = await scene.createWorkspace();
    const other = await listen(await scene.createWorkspace());
    const deaf = await listen(workspaceId, { events: ["RUN_ENDED"] });
    const off = await listen(workspaceId);
    await send("updateWebhook", { webhookId: off.id, enabled: false });
    const gone = await listen(workspaceId);
    await send("deleteWebhook", { webhookId: gone.id });
    const all = await listen(null, { events: ["WORKSPACE_LOCKED"] });
    await scene.send("lockWorkspace", { workspaceId });
    expect(await deliverer.next()).toBe("DELIVERED");
    expect((await newest(all.id))["state"]).toBe("DELIVERED");
    for (const { id } of [other, deaf, off]) expect(await readWebhookDeliveries(scene.api, id)).toEqual([]);
  });

  it("nothing of a change that was rolled back", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const { id } = await listen(workspaceId);
    const { deps } = scene.server;
    const work = deps.database.transaction(async (tx) => {
      const run = await findRun(tx, runId);
      if (run !== null) await enqueueRunWebhooks(tx, deps, { ...run, status: "PLANNING" }, run);
      throw new Error("not after all");
    });
    await expect(work).rejects.toThrow("not after all");
    expect(await readWebhookDeliveries(scene.api, id)).toEqual([]);
    const jobs = await scene.rows("select 1 from holdpoint_jobs.job where group_id = $1", id);
    expect(jobs).toEqual([]);
  });
});

describe("delivery", () => {
  it("is tried again under the same id, with a signature of its own, until it is taken", async () => {
    const { id, secret } = await listen(await scene.createWorkspace());
    target.answer(status(500, "no"), status(204));
    await send("testWebhook", { webhookId: id });
    const first = await target.next();
    const second = await target.next();
    expect([await deliverer.next(), await deliverer.next()]).toEqual(["FAILED", "DELIVERED"]);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.body).toBe(first.body);
    expect(isSigned(second, secret)).toBe(true);
    expect(first.message.type).toBe("webhook.test");
    expect(await newest(id)).toMatchObject({
      state: "DELIVERED",
      nextAttemptAt: null,
      attempts: [
        { number: 1, statusCode: 500, response: "no" },
        { number: 2, statusCode: 204, response: "" },
      ],
    });
  });

  it("fails for good after the last attempt; whoever asks for it again gets all tries again", async () => {
    const { id } = await listen(await scene.createWorkspace());
    target.answer(status(302, "", { location: "http://169.254.169.254/" }));
    const { delivery } = await send("testWebhook", { webhookId: id });
    for (let i = 0; i < 4; i++) expect(await deliverer.next()).toBe("FAILED");
    const failed = await newest(id);
    expect(failed).toMatchObject({ state: "FAILED", nextAttemptAt: null });
    expect(failed["attempts"]).toHaveLength(4);
    expect(failed["attempts"][0]).toMatchObject({ statusCode: 302, error: "Redirects are not followed." });
    const again = await send("redeliverWebhook", { deliveryId: delivery.id });
    expect(again.delivery).toMatchObject({ id: delivery.id, state: "PENDING" });
    for (let i = 0; i < 4; i++) expect(await deliverer.next()).toBe("FAILED");
    target.answer(status(200));
    await send("redeliverWebhook", { deliveryId: delivery.id });
    expect(await deliverer.next()).toBe("DELIVERED");
    const last = await newest(id);
    expect([last["state"], last["attempts"].length]).toEqual(["DELIVERED", 9]);
    expect(new Set(target.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([delivery.id]));
  });

  it("410 disables the webhook; what waits for it is given up", async () => {
    const { id } = await listen(await scene.createWorkspace());
    target.answer(status(410));
    await send("testWebhook", { webhookId: id });
    expect(await deliverer.next()).toBe("GONE");
    const { node } = await scene.api.ask(`{ node(id: "${id}") { ... on Webhook { enabled goneAt } } }`);
    expect(node).toEqual({ enabled: false, goneAt: expect.any(String) });
    expect((await newest(id))["state"]).toBe("FAILED");
    const [delivery] = await readWebhookDeliveries(scene.api, id);
    for (const [command, input] of [
      ["testWebhook", { webhookId: id }],
      ["redeliverWebhook", { deliveryId: delivery?.["id"] }],
    ] as const) {
      expect(await send(command, input)).toMatchObject({ code: "INVALID_INPUT" });
    }
    const { webhook } = await send("updateWebhook", { webhookId: id, enabled: true });
    expect(webhook).toMatchObject({ enabled: true, goneAt: null });
  });

  it("a webhook that is disabled or deleted is sent nothing that waited", async () => {
    await deliverer[Symbol.asyncDispose]();
    const [off, gone] = [await listen(await scene.createWorkspace()), await listen(await scene.createWorkspace())];
    const waiting = [];
    for (const { id } of [off, gone]) waiting.push((await send("testWebhook", { webhookId: id })).delivery.id);
    await send("updateWebhook", { webhookId: off.id, enabled: false });
    await send("deleteWebhook", { webhookId: gone.id });
    deliverer = startDeliverer(scene.server);
    const { id } = await listen(await scene.createWorkspace());
    await send("testWebhook", { webhookId: id });
    expect((await target.next()).headers["webhook-id"]).toBe((await newest(id))["id"]);
    expect(await deliverer.next()).toBe("DELIVERED");
    const states = await scene.rows("select state from webhook_delivery where id = any($1)", waiting);
    expect(states).toEqual([{ state: "CANCELED" }, { state: "CANCELED" }]);
  });

  it("what was written down while its webhook was disabled is given up", async () => {
    const { id } = await listen(await scene.createWorkspace());
    await deliverer[Symbol.asyncDispose]();
    await send("testWebhook", { webhookId: id });
    await scene.rows("update webhook set enabled = false where id = $1", id);
    deliverer = startDeliverer(scene.server);
    const other = await listen(await scene.createWorkspace());
    await send("testWebhook", { webhookId: other.id });
    await deliverer.next();
    await deliverer[Symbol.asyncDispose]();
    expect(await newest(id)).toMatchObject({ state: "CANCELED", attempts: [] });
  });

  it("a webhook that is enabled again while an older message is given up keeps what came since", async () => {
    const { id } = await listen(await scene.createWorkspace());
    await deliverer[Symbol.asyncDispose]();
    const { deps, webhookJobs: jobs } = scene.server;
    if (jobs === null) throw new Error("There are no jobs.");
    const older = (await send("testWebhook", { webhookId: id })).delivery.id;
    await scene.rows("update webhook set enabled = false where id = $1", id);
    const taken = (await jobs.take(10, 10)).find(({ deliveryId }) => deliveryId === older);
    if (taken === undefined) throw new Error("It is not due.");
    let newer = "";
    const meanwhile: typeof deps = {
      ...deps,
      database: {
        ...deps.database,
        async transaction(work) {
          if (newer === "") {
            await send("updateWebhook", { webhookId: id, enabled: true });
            newer = (await send("testWebhook", { webhookId: id })).delivery.id;
          }
          return deps.database.transaction(work);
        },
      },
    };
    const options = { jobs, allowed: deps.webhookAllow, limits: LIMITS.webhookDelivery };
    expect(await deliver(meanwhile, options, taken, new AbortController().signal)).toBe(null);
    const states = await readWebhookDeliveries(scene.api, id);
    expect(states.map((one) => [one["id"], one["state"]])).toEqual([
      [newer, "PENDING"],
      [older, "CANCELED"],
    ]);
  });

  /** Makes one attempt of a delivery as a server would; `meanwhile` runs after the attempt was taken and before it is sent. */
  async function attempt(deliveryId: string, meanwhile: () => Promise<unknown> = async () => null) {
    const { deps, webhookJobs: jobs } = scene.server;
    if (jobs === null) throw new Error("There are no jobs.");
    const taken = (await jobs.take(10, 10)).find((one) => one.deliveryId === deliveryId);
    if (taken === undefined) throw new Error("It is not due.");
    await meanwhile();
    const options = { jobs, allowed: deps.webhookAllow, limits: LIMITS.webhookDelivery };
    return deliver(deps, options, taken, new AbortController().signal);
  }

  it("of an earlier turn sends nothing: the message was asked for again before it was sent", async () => {
    await deliverer[Symbol.asyncDispose]();
    const { id } = await listen(await scene.createWorkspace());
    const deliveryId = (await send("testWebhook", { webhookId: id })).delivery.id;
    expect(await attempt(deliveryId, () => send("redeliverWebhook", { deliveryId }))).toBeNull();
    expect(target.received).toEqual([]);
    expect(await newest(id)).toMatchObject({ state: "PENDING", attempts: [] });
    deliverer = startDeliverer(scene.server);
    expect(await deliverer.next()).toBe("DELIVERED");
    expect(await newest(id)).toMatchObject({ state: "DELIVERED", attempts: [{ number: 1 }] });
  });

  it("of an earlier turn decides nothing: the message was asked for again while it was sent", async () => {
    await deliverer[Symbol.asyncDispose]();
    const { id } = await listen(await scene.createWorkspace());
    const deliveryId = (await send("testWebhook", { webhookId: id })).delivery.id;
    target.answer((response) => {
      void send("redeliverWebhook", { deliveryId }).then(() => response.end());
    }, status(204));
    expect(await attempt(deliveryId)).toBe("DELIVERED");
    expect(await newest(id)).toMatchObject({ state: "PENDING", attempts: [{ number: 1, statusCode: 200 }] });
    deliverer = startDeliverer(scene.server);
    expect(await deliverer.next()).toBe("DELIVERED");
    const attempts = [{ statusCode: 200 }, { statusCode: 204 }];
    expect(await newest(id)).toMatchObject({ state: "DELIVERED", attempts });
  });

  it("410 of an address that was left meanwhile does not disable the new one, which gets the message", async () => {
    const { id } = await listen(await scene.createWorkspace());
    const moved = await startWebhookTarget();
    target.answer((response) => {
      void send("updateWebhook", { webhookId: id, url: moved.url }).then(() => response.writeHead(410).end());
    });
    await send("testWebhook", { webhookId: id });
    expect([await deliverer.next(), await deliverer.next()]).toEqual(["FAILED", "DELIVERED"]);
    const { node } = await scene.api.ask(`{ node(id: "${id}") { ... on Webhook { enabled goneAt } } }`);
    expect(node).toEqual({ enabled: true, goneAt: null });
    expect(moved.received).toHaveLength(1);
    await moved[Symbol.asyncDispose]();
  });

  it("the webhooks of a workspace go with it", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await listen(workspaceId);
    const list = async () => {
      const { organization } = await scene.api.ask('{ organization(slug: "default") { webhooks { id } } }');
      return organization.webhooks.map((one: Data) => one["id"]);
    };
    expect(await list()).toContain(id);
    await scene.send("deleteWorkspace", { workspaceId });
    expect(await list()).not.toContain(id);
  });

  it("one slow target leaves room for the others", async () => {
    const slow = await startWebhookTarget();
    const held: (() => void)[] = [];
    slow.answer((response) => held.push(() => response.end()));
    const { id } = await listen(await scene.createWorkspace(), { url: slow.url });
    for (let i = 0; i < 15; i++) await send("testWebhook", { webhookId: id });
    await slow.next();
    await slow.next();
    const quick = await listen(await scene.createWorkspace());
    for (let i = 0; i < 5; i++) {
      await send("testWebhook", { webhookId: quick.id });
      await target.next();
      expect(await deliverer.next()).toBe("DELIVERED");
    }
    slow.answer(status(200));
    for (const release of held) release();
    for (let i = 0; i < 15; i++) expect(await deliverer.next()).toBe("DELIVERED");
    expect(slow.open.most).toBe(2);
    await slow[Symbol.asyncDispose]();
  });

  it("what waits without a job is sent all the same: the database was restored from a backup", async () => {
    await deliverer[Symbol.asyncDispose]();
    const { id } = await listen(await scene.createWorkspace());
    await send("testWebhook", { webhookId: id });
    await scene.rows("delete from holdpoint_jobs.job");
    deliverer = startDeliverer(scene.server);
    expect(await deliverer.next()).toBe("DELIVERED");
    expect((await newest(id))["attempts"]).toHaveLength(1);
  });

  it("a server that stops gives back what it was sending, and another one sends it", async () => {
    const { id } = await listen(await scene.createWorkspace());
    target.answer(() => undefined);
    await send("testWebhook", { webhookId: id });
    await target.next();
    await deliverer[Symbol.asyncDispose]();
    const [job] = await scene.rows("select state, id from holdpoint_jobs.job where group_id = $1", id);
    expect(job?.["state"]).toBe("retry");
    await scene.rows("update holdpoint_jobs.job set start_after = now() where id = $1", job?.["id"]);
    target.answer(status(200));
    deliverer = startDeliverer(scene.server);
    expect(await deliverer.next()).toBe("DELIVERED");
    expect((await newest(id))["attempts"]).toHaveLength(1);
  });

  it("what ended long ago is deleted", async () => {
    const { id } = await listen(await scene.createWorkspace());
    await send("testWebhook", { webhookId: id });
    await deliverer.next();
    const sweep = async (): Promise<number> => {
      await deliverer[Symbol.asyncDispose]();
      deliverer = startDeliverer(scene.server);
      await deliverer[Symbol.asyncDispose]();
      const count = (await readWebhookDeliveries(scene.api, id)).length;
      deliverer = startDeliverer(scene.server);
      return count;
    };
    expect(await sweep()).toBe(1);
    await scene.rows("update webhook_delivery set finished_at = now() - interval '31 days' where webhook_id = $1", id);
    expect(await sweep()).toBe(0);
  });
});

describe("secrets", () => {
  it("are replaced with a day of both, or at once", async () => {
    const { id, secret } = await listen(await scene.createWorkspace());
    const message = async () => {
      await send("testWebhook", { webhookId: id });
      await deliverer.next();
      return target.next();
    };
    const next = (await send("rotateWebhookSecret", { webhookId: id })).secret;
    const both = await message();
    expect([isSigned(both, secret), isSigned(both, next)]).toEqual([true, true]);
    scene.server.advance(24 * 60 * 60 * 1000);
    expect(isSigned(await message(), secret)).toBe(false);
    const given = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
    expect((await send("rotateWebhookSecret", { webhookId: id, secret: given, revokeNow: true })).secret).toBe(given);
    const last = await message();
    expect([isSigned(last, next), isSigned(last, given)]).toEqual([false, true]);
  });

  it("that cannot be read, as after a restore without the master key, are put right by another one", async () => {
    const { id, secret } = await listen(await scene.createWorkspace());
    const sealed = createCipher(Buffer.alloc(32, 9)).seal(Buffer.from(secret), `webhook/${id}/secret`);
    await scene.rows("update webhook set secret_sealed = $2 where id = $1", id, sealed);
    await send("testWebhook", { webhookId: id });
    for (let i = 0; i < 4; i++) expect(await deliverer.next()).toBe("FAILED");
    expect((await newest(id))["attempts"][0]).toMatchObject({
      error: "The secret of the webhook cannot be decrypted. Rotate it with `rotateWebhookSecret`.",
    });
    expect(scene.server.reported.splice(0)).toHaveLength(4);
    const next = (await send("rotateWebhookSecret", { webhookId: id })).secret;
    await send("testWebhook", { webhookId: id });
    expect(await deliverer.next()).toBe("DELIVERED");
    expect(isSigned(await target.next(), next)).toBe(true);
  });

  it("are masked where a target repeats them, and lie nowhere in clear", async () => {
    const url = `${target.url}/token-in-the-path`;
    const { id, secret } = await listen(await scene.createWorkspace(), { url });
    target.answer(status(500, `${url} \0 ${secret} ${secret.slice(6)} ${"x".repeat(5000)}`));
    await send("testWebhook", { webhookId: id });
    for (let i = 0; i < 4; i++) await deliverer.next();
    const { attempts } = await newest(id);
    expect(attempts[0].response).toMatch(/^\*\*\*  \*\*\* \*\*\* x+$/);
    expect(attempts[0].response).toHaveLength(1000);
    const rows = await scene.rows("select * from webhook where id = $1", id);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    const jobs = await scene.rows("select * from holdpoint_jobs.job where group_id = $1", id);
    expect(JSON.stringify(jobs)).not.toContain("token-in-the-path");
  });
});

describe("who may, and with what", () => {
  it("admins alone see webhooks and write them", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await listen(workspaceId);
    await send("testWebhook", { webhookId: id });
    await deliverer.next();
    const deliveryId = (await newest(id))["id"];
    const approver = await scene.login("APPROVER");
    const query = `{ organization(slug: "default") { webhooks { id } }
      workspace(by: { id: "${workspaceId}" }) { webhooks { url } }
      hook: node(id: "${id}") { id } delivery: node(id: "${deliveryId}") { id } }`;
    expect(await approver.ask(query)).toEqual({
      organization: { webhooks: [] },
      workspace: { webhooks: [] },
      hook: null,
      delivery: null,
    });
    const shown = await scene.api.ask(query);
    expect(shown).toMatchObject({ workspace: { webhooks: [{ url: `${target.url}/hook` }] }, hook: { id } });
    expect(shown["organization"].webhooks.map((one: Data) => one["id"])).toContain(id);
    const given = { organizationId: DEFAULT_ORGANIZATION_ID, url: "https://hooks.example/", events: EVENTS };
    for (const [command, input] of [
      ["createWebhook", given],
      ["updateWebhook", { webhookId: id }],
      ["deleteWebhook", { webhookId: id }],
      ["rotateWebhookSecret", { webhookId: id }],
      ["testWebhook", { webhookId: id }],
      ["redeliverWebhook", { deliveryId }],
    ] as const) {
      expect(await send(command, input, approver)).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it.each([
    [{ url: "ftp://hooks.example/" }, "url"],
    [{ url: "hooks.example" }, "url"],
    [{ url: "https://me:secret@hooks.example/" }, "url"],
    [{ url: "https://hooks.example/#here" }, "url"],
    [{ url: `https://hooks.example/${"x".repeat(2000)}` }, "url"],
    [{ url: "http://10.0.0.1/" }, "url"],
    [{ url: "http://169.254.169.254/latest/meta-data" }, "url"],
    [{ url: "http://2130706434/" }, "url"],
    [{ url: "http://[::1]/" }, "url"],
    [{ events: [] }, "events"],
    [{ secret: "whsec_short" }, "secret"],
    [{ description: "x".repeat(10_001) }, "description"],
  ])("%o is refused", async (input, field) => {
    const given = { organizationId: DEFAULT_ORGANIZATION_ID, url: "https://hooks.example/", events: EVENTS };
    const answer = await send("createWebhook", { ...given, ...input });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
  });

  it("a webhook, a delivery, an organization or a workspace that is not there", async () => {
    const given = { organizationId: DEFAULT_ORGANIZATION_ID, url: "https://hooks.example/", events: EVENTS };
    for (const [command, input] of [
      ["createWebhook", { ...given, organizationId: "org_0" }],
      ["createWebhook", { ...given, workspaceId: "ws_0" }],
      ["updateWebhook", { webhookId: "hook_0" }],
      ["deleteWebhook", { webhookId: "no id at all" }],
      ["redeliverWebhook", { deliveryId: "dlv_0" }],
    ] as const) {
      expect(await send(command, input)).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("pages of deliveries, and those of one state", async () => {
    const { id } = await listen(await scene.createWorkspace());
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift((await send("testWebhook", { webhookId: id })).delivery.id);
      await deliverer.next();
    }
    const read = async (args: string) => (await readWebhookDeliveries(scene.api, id, args)).map((one) => one["id"]);
    expect(await read("")).toEqual(ids);
    expect(await read("(first: 2)")).toEqual(ids.slice(0, 2));
    expect(await read("(last: 2)")).toEqual(ids.slice(1));
    expect(await read("(state: FAILED)")).toEqual([]);
  });
});
