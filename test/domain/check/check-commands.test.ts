import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { createCipher } from "../../../src/persistence/installation/cipher.ts";
import { testExternalCheck } from "../../../src/domain/external-check/test-external-check.ts";
import { createCheck, sendCheckCommand } from "../../support/check-steps.ts";
import { type RunTaskService, startRunTaskService } from "../../support/run-task-service.ts";
import { startWebhookTarget, status } from "../../support/webhook-target.ts";
import { openScene, type Scene } from "../scene.ts";
import { admin } from "../access/sample.ts";

let scene: Scene;
let service: RunTaskService;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
});
afterEach(async () => {
  expect(service.refused).toEqual([]);
  await service[Symbol.asyncDispose]();
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const send: (command: Parameters<typeof sendCheckCommand>[1], input: object) => ReturnType<typeof sendCheckCommand> = (
  command,
  input,
) => sendCheckCommand(scene.api, command, input);

const inputOf = (more: object = {}): object => ({
  organizationId: DEFAULT_ORGANIZATION_ID,
  name: "scanner",
  url: service.url,
  hmacKey: service.key,
  stages: ["POST_PLAN", "PRE_APPLY"],
  level: "SOFT_MANDATORY",
  selector: { names: ["web-*"] },
  ...more,
});

describe("creating", () => {
  it("tests the address by a signed request, and shows the check without its key", async () => {
    const made = await send("createExternalCheck", inputOf());
    expect(made["externalCheck"]).toMatchObject({
      name: "scanner",
      url: service.url,
      signed: true,
      stages: ["POST_PLAN", "PRE_APPLY"],
      level: "SOFT_MANDATORY",
      onError: "FAIL_CLOSED",
      progressSeconds: 600,
      totalSeconds: 3600,
      enabled: true,
      selector: { names: ["web-*"], labels: [], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] },
      organization: { id: DEFAULT_ORGANIZATION_ID },
    });
    expect(service.tests.count).toBe(1);
    const [row] = await scene.rows(
      "select c::text as text from external_check c where id = $1",
      made["externalCheck"].id,
    );
    expect(row?.["text"]).not.toContain(service.key);
    expect(row?.["text"]).not.toContain(Buffer.from(service.key).toString("hex"));
  });

  it("without a key sends an empty signature", async () => {
    await using unsigned = await startRunTaskService("");
    const made = await send("createExternalCheck", inputOf({ url: unsigned.url, hmacKey: null }));
    expect(made["externalCheck"]).toMatchObject({ signed: false });
    expect(unsigned).toMatchObject({ tests: { count: 1 }, refused: [] });
  });

  it.each([
    ["a service that is against it", status(204), "status 204"],
    ["a service that fails", status(500), "status 500"],
    [
      "a redirect to the metadata of a cloud",
      status(302, "", { location: "http://169.254.169.254/latest/meta-data/" }),
      "Redirects are not followed.",
    ],
  ])("refuses %s", async (_what, answer, words) => {
    await using target = await startWebhookTarget();
    target.answer(answer);
    const refused = await send("createExternalCheck", inputOf({ url: target.url }));
    expect(refused).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["url"] }] });
    expect(refused["message"]).toContain(words);
    expect(refused["message"]).not.toContain("169.254");
    expect(await scene.rows("select 1 from external_check where deleted_at is null")).toEqual([]);
  });

  it.each([
    ["http://169.254.169.254/latest/meta-data/", "internal address"],
    ["http://[::ffff:10.0.0.1]/", "internal address"],
    ["ftp://example.com/", "https:// or http://"],
    ["https://user:password@example.com/", "a user or a password"],
  ])("refuses the address %s before it sends anything", async (url, words) => {
    const refused = await send("createExternalCheck", inputOf({ url }));
    expect(refused["issues"]).toEqual([{ path: ["url"], message: expect.stringContaining(words) }]);
  });

  it.each([
    ["name", { name: " " }],
    ["hmacKey", { hmacKey: "k".repeat(501) }],
    ["stages", { stages: [] }],
    ["stages", { stages: ["PRE_PLAN", "PRE_PLAN"] }],
    ["progressSeconds", { progressSeconds: 0 }],
    ["progressSeconds", { progressSeconds: 3601 }],
    ["totalSeconds", { totalSeconds: 24 * 60 * 60 + 1 }],
    ["selector", { selector: { labels: ["no label!"] } }],
    ["selector", { selector: { workspaceIds: ["run_0"] } }],
  ])("refuses %s of %o, and tests nothing", async (field, more) => {
    const refused = await send("createExternalCheck", inputOf(more));
    expect(refused["code"]).toBe("INVALID_INPUT");
    expect(refused["issues"][0].path[0]).toBe(field);
    expect(service.tests.count).toBe(0);
  });

  it("refuses a name that is in use, until its check is deleted, and more checks than the limit", async () => {
    const id = await createCheck(scene.api, service, { name: "twice" });
    expect(await send("createExternalCheck", inputOf({ name: "twice" }))).toMatchObject({ code: "NAME_TAKEN" });
    expect(await send("deleteExternalCheck", { checkId: id })).toMatchObject({ deletedId: id });
    await createCheck(scene.api, service, { name: "twice" });
    for (let i = 1; i < LIMITS.externalChecksPerOrganization; i++) await createCheck(scene.api, service);
    const refused = await send("createExternalCheck", inputOf());
    expect(refused["issues"]).toEqual([{ path: ["organizationId"], message: expect.stringContaining("20") }]);
  });
});

describe("changing", () => {
  it("keeps what is absent, and tests another address or key alone", async () => {
    const checkId = await createCheck(scene.api, service);
    const before = service.tests.count;
    const renamed = await send("updateExternalCheck", { checkId, name: "renamed", level: "ADVISORY" });
    expect(renamed["externalCheck"]).toMatchObject({
      name: "renamed",
      level: "ADVISORY",
      url: service.url,
      signed: true,
    });
    expect(service.tests.count).toBe(before);
    await using other = await startRunTaskService("another key");
    const moved = await send("updateExternalCheck", { checkId, url: other.url });
    expect(moved).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["url"] }] });
    expect(other.refused.splice(0)).toEqual(["The signature is wrong."]);
    const both = await send("updateExternalCheck", { checkId, url: other.url, hmacKey: other.key });
    expect(both["externalCheck"]).toMatchObject({ url: other.url });
    expect(other.tests.count).toBe(1);
  });

  it("does not clear what a check needs", async () => {
    const checkId = await createCheck(scene.api, service);
    const refused = await send("updateExternalCheck", { checkId, name: null, selector: null });
    expect(refused["issues"]).toEqual([
      { path: ["name"], message: "cannot be cleared." },
      { path: ["selector"], message: "cannot be cleared." },
    ]);
    const times = await send("updateExternalCheck", { checkId, totalSeconds: 300 });
    expect(times["issues"]).toEqual([{ path: ["progressSeconds"], message: "must be at most totalSeconds." }]);
  });

  it("does not test a check that is disabled with it", async () => {
    const checkId = await createCheck(scene.api, service);
    const url = "https://gone.example.com/";
    const disabled = await send("updateExternalCheck", { checkId, url, enabled: false });
    expect(disabled["externalCheck"]).toMatchObject({ url, enabled: false });
  });
});

describe("testing", () => {
  it("tells what the service answered", async () => {
    const checkId = await createCheck(scene.api, service);
    const good = { __typename: "TestExternalCheckSuccess", ok: true, statusCode: 200, problem: null };
    expect(await send("testExternalCheck", { checkId })).toEqual(good);
    await using target = await startWebhookTarget();
    target.answer(status(503));
    await scene.rows("update external_check set url = $2 where id = $1", checkId, target.url);
    expect(await send("testExternalCheck", { checkId })).toMatchObject({ ok: false, statusCode: 503 });
    await scene.rows("update external_check set url = 'http://10.0.0.1/' where id = $1", checkId);
    expect(await send("testExternalCheck", { checkId })).toMatchObject({
      ok: false,
      statusCode: null,
      problem: expect.stringContaining("HOLDPOINT_WEBHOOK_ALLOW"),
    });
  });

  it("names the key that another master key has sealed, and the address that is missing", async () => {
    const checkId = await createCheck(scene.api, service);
    const { deps } = scene.server;
    const withOtherKey = { ...deps, cipher: createCipher(Buffer.alloc(32, 1)) };
    await expect(testExternalCheck(withOtherKey, admin, { checkId })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { issues: [{ path: ["hmacKey"] }] },
    });
    await expect(testExternalCheck({ ...deps, publicUrl: null }, admin, { checkId })).rejects.toThrow(
      "HOLDPOINT_PUBLIC_URL",
    );
  });
});

describe("a caller without CHECK_WRITE", () => {
  it.each(["createExternalCheck", "updateExternalCheck", "testExternalCheck"] as const)(
    "is refused %s, and its service gets no request",
    async (name) => {
      const checkId = await createCheck(scene.api, service);
      const before = service.tests.count;
      const inputs = {
        createExternalCheck: inputOf(),
        updateExternalCheck: { checkId, hmacKey: service.key },
        testExternalCheck: { checkId },
      };
      const approver = await scene.login("APPROVER");
      expect(await sendCheckCommand(approver, name, inputs[name])).toMatchObject({ code: "FORBIDDEN" });
      expect(service.tests.count).toBe(before);
      // With the permission they send one.
      await sendCheckCommand(scene.api, name, inputs[name]);
      expect(service.tests.count).toBe(before + 1);
    },
  );
});
