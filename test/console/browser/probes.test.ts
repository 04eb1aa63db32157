/** Probes of a workspace, tried by the server and by a runner, and kept, in the browser alone. */
import type { Locator, Page } from "playwright-core";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packSamples } from "../../../src/model/health/bucket.ts";
import { waitUntil } from "../../support/eventually.ts";
import { bucketStartMs, placeOfTarget } from "../../../src/model/health/target-hash.ts";
import { must } from "../../support/people-steps.ts";
import { httpTarget } from "../../support/probe-targets.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

const CANARY = "canary-5e1f";

let scene: ConsoleScene;
let workspaceId: string;
beforeAll(async () => {
  const env = {
    HOLDPOINT_PROBE_ALLOW: "127.0.0.1",
    HOLDPOINT_RUNNER_PROBES: "50",
    HOLDPOINT_RUNNER_PROBE_ALLOW: "127.0.0.1",
  };
  scene = await openConsoleScene({ slots: 1, env });
  workspaceId = await scene.createWorkspace("shop", { "main.tf": 'resource "terraform_data" "web" {}' });
});
afterAll(() => scene[Symbol.asyncDispose]());

const storedProbes = async () =>
  (
    await scene.server.api.ask(`{ workspace(by: { id: "${workspaceId}" }) {
      probes { name kind use from target headerNames hasBody weight expect { statuses maxLatencyMs } } } }`)
  ).workspace.probes;

const openForm = async (page: Page, button: Locator, title: string) => {
  await button.press("Enter");
  const form = page.getByRole("dialog", { name: title });
  await form.getByLabel("Name", { exact: true }).waitFor();
  return form;
};

it("tries a probe, keeps it with its secrets, and changes others without them", async () => {
  const seen: unknown[] = [];
  const target = await httpTarget((request, response) => {
    seen.push([request.url, request.headers["x-key"] ?? null]);
    response.statusCode = request.url === "/broken" ? 500 : 200;
    response.end("up");
  });
  const site = `http://127.0.0.1:${target.port}`;
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const probes = page.getByRole("region", { name: "Probes" });
  await probes.getByText("Nothing finds out whether what is applied works.").waitFor();

  const adding = await openForm(page, probes.getByRole("button", { name: "New probe" }), "New probe of shop");
  const field = (name: string) => adding.getByLabel(name, { exact: true });
  const tryIt = adding.getByRole("button", { name: "Try it now" });
  await adding.getByLabel("Name", { exact: true }).fill("web");
  await adding.getByLabel("Address").fill("shop.example.com");
  await adding.getByLabel("Sent by").selectOption("SERVER");
  await tryIt.press("Enter");
  await adding.locator('input[name="target"][aria-invalid=true]').waitFor();
  await adding.getByLabel("Address").fill(`${site}/broken`);
  await adding.getByLabel("Headers (optional)").fill("X-Key");
  await tryIt.press("Enter");
  await adding.locator('textarea[name="headers"][aria-invalid=true]').waitFor();
  expect(seen).toEqual([]);
  await adding.getByLabel("Headers (optional)").fill(`X-Key: ${CANARY}`);
  await tryIt.press("Enter");
  await adding.getByText("does not work").waitFor();
  await adding.getByText(/status 500/).waitFor();
  expect(seen).toEqual([["/broken", CANARY]]);
  await checkViews(page, "probe-tried");

  // A runner tries it as well; what was typed afterwards was not tried.
  await adding.getByLabel("Address").fill(`${site}/ready`);
  expect(await adding.getByText("does not work").count()).toBe(0);
  await adding.getByLabel("Sent by").selectOption("RUNNERS");
  await tryIt.press("Enter");
  await adding.getByText("works", { exact: true }).waitFor();
  expect(seen).toEqual([
    ["/broken", CANARY],
    ["/ready", CANARY],
  ]);
  await adding.getByLabel("Sent by").selectOption("SERVER");
  await field("When").selectOption("VERIFY");
  await adding.getByRole("button", { name: "Add the probe" }).press("Enter");
  await adding.waitFor({ state: "detached" });
  await probes.getByText("after each apply").waitFor();
  expect(await page.content()).not.toContain(CANARY);

  // Another probe is added and this one is changed without its secrets, which it keeps.
  const second = await openForm(page, probes.getByRole("button", { name: "New probe" }), "New probe of shop");
  await second.getByLabel("Name", { exact: true }).fill("database");
  await second.getByLabel("Kind", { exact: true }).selectOption("TCP");
  await second.getByLabel("Host and port").fill("db.internal:5432");
  await second.getByLabel("When", { exact: true }).selectOption("VERIFY");
  await second.getByRole("button", { name: "Add the probe" }).press("Enter");
  await second.waitFor({ state: "detached" });
  const row = (name: string) => probes.getByRole("row").filter({ hasText: name });
  const change = row("web").getByRole("button", { name: "Change" });
  const changing = await openForm(page, change, "Change the probe web of shop");
  await changing.getByLabel("Name", { exact: true }).fill("site");
  await changing.getByLabel("Address").fill("http://127.0.0.2/ready");
  await changing.getByRole("button", { name: "Change the probe" }).press("Enter");
  await changing.locator('input[name="target"][aria-invalid=true]').waitFor();
  await checkViews(page, "probe-refused");
  await changing.getByLabel("Address").fill(`${site}/health`);
  await changing.getByLabel("Slow after milliseconds").fill("900");
  await changing.getByRole("button", { name: "Try it now" }).press("Enter");
  await changing.getByText("works", { exact: true }).waitFor();
  expect(seen.at(-1)).toEqual(["/health", CANARY]);
  await changing.getByRole("button", { name: "Change the probe" }).press("Enter");
  await changing.waitFor({ state: "detached" });
  expect(await storedProbes()).toMatchObject([
    { name: "site", target: `${site}/health`, headerNames: ["X-Key"], expect: { maxLatencyMs: 900 } },
    { name: "database", kind: "TCP", from: "RUNNERS", headerNames: [] },
  ]);
  await row("database").waitFor();
  await checkViews(page, "probes");

  await row("database").getByRole("button", { name: "Delete" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Delete the probe database of shop" });
  await asking.getByRole("button", { name: "Delete" }).press("Enter");
  await row("database").waitFor({ state: "detached" });
  expect(await storedProbes()).toMatchObject([{ name: "site", headerNames: ["X-Key"] }]);
  expect(reports).toEqual([]);
});

it("states why nothing was tried", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const probes = page.getByRole("region", { name: "Probes" });
  const adding = await openForm(page, probes.getByRole("button", { name: "New probe" }), "New probe of shop");
  await adding.getByLabel("Name", { exact: true }).fill("other");
  await adding.getByLabel("Address").fill("{{outputs.url}}");
  await adding.getByRole("button", { name: "Try it now" }).press("Enter");
  await adding.getByText('Nothing was tried. There is no output "url".').waitFor();
  await closeDialog(page);
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const { runnerPool } = await must(
    api,
    "createRunnerPool",
    { organizationId: organization.id, name: "empty" },
    "runnerPool { id }",
  );
  await must(api, "updateWorkspace", { workspaceId, runnerPoolId: runnerPool.id }, "workspace { id }");
  const inPool = await openForm(page, probes.getByRole("button", { name: "New probe" }), "New probe of shop");
  await inPool.getByLabel("Name", { exact: true }).fill("other");
  await inPool.getByLabel("Address").fill("http://10.0.0.7/");
  await inPool.getByRole("button", { name: "Try it now" }).press("Enter");
  await inPool.getByText(/Nothing was tried\. No runner of the pool empty/).waitFor();
  expect(reports).toEqual([]);
});

it("shows the last day and week of a probe as bars, and as a table", async () => {
  const { server, databaseUrl } = scene;
  const id = await scene.createWorkspace("watched", { "main.tf": 'resource "terraform_data" "web" {}' });
  const target = await httpTarget((_request, response) => response.end("up"));
  const probe = { name: "web", kind: "TCP", use: "HEALTH", from: "SERVER", target: `127.0.0.1:${target.port}` };
  const free = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
  await must(server.api, "updateWorkspace", { workspaceId: id, probes: [probe], ...free }, "workspace { id }");
  await using opened = await scene.open("/o/default/w/watched");
  const { page, reports } = opened;
  await signIn(page, server.api.token);
  const history = page.getByRole("region", { name: "History of health" });
  await history.getByText("No samples yet.").waitFor();

  const { run } = await must(server.api, "createRun", { workspaceId: id }, "run { id }");
  await waitForStatus(server.api, run.id, "FINISHED");
  const client = new Client({ connectionString: databaseUrl ?? "" });
  await client.connect();
  try {
    const targetOf = () => client.query("select id from probe_target where workspace_id = $1", [id]);
    const targetId = await waitUntil(async () => (await targetOf()).rows[0]?.id);
    const packed = Buffer.from(packSamples([{ second: 1, failure: null, latencyMs: 9, held: false }]));
    const { bucketOffsetMs } = placeOfTarget({ workspaceId: id, probe: "web", number: 0 });
    const insert = `insert into health_bucket (bucket_at, target_id, fence, samples, bad, held, median_ms, max_ms, packed)
      values ($1, $2, 1, 10, $3, 0, 9, 40, $4)`;
    for (const [hours, bad] of [
      [2, 0],
      [3, 2],
      [20, 0],
    ] as const) {
      const at = new Date(bucketStartMs(Date.now() - hours * 3_600_000, bucketOffsetMs));
      await client.query(insert, [at, targetId, bad, packed]);
    }
  } finally {
    await client.end();
  }
  await page.reload();
  await history.getByRole("img", { name: /^web, last day: 93\.33 % of 30 samples were good$/ }).waitFor();
  expect(await history.locator("rect[data-tone=bad]").count()).toBe(1);
  expect(await history.locator("rect[data-tone=good]").count()).toBe(2);
  await history.getByText("As a table").press("Enter");
  const rows = history.getByRole("table", { name: "Health of web" }).locator("tbody tr");
  expect(await rows.count()).toBe(3);
  await history.scrollIntoViewIfNeeded();
  await checkViews(page, "health-history");
  await history.getByRole("button", { name: "Last week" }).press("Enter");
  await history.getByText("No samples yet.").waitFor();
  expect(reports).toEqual([]);
});

it("suggests probes by the shape and the outputs, and adds one by its button", async () => {
  const { api } = scene.server;
  const target = await httpTarget((_request, response) => response.end("up"));
  const url = `http://127.0.0.1:${target.port}/site`;
  const id = await scene.createWorkspace("site", { "main.tf": `output "url" { value = "${url}" }` });
  const others = [{ name: "web", kind: "TCP", use: "HEALTH", from: "SERVER", target: `127.0.0.1:${target.port}` }];
  const free = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS", deployShape: "STATIC" };
  await must(api, "updateWorkspace", { workspaceId: id, probes: others, ...free }, "workspace { id }");
  await using opened = await scene.open("/o/default/w/site");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const probes = page.getByRole("region", { name: "Probes" });
  await probes.getByRole("row", { name: /web/ }).waitFor();
  expect(await probes.getByRole("list").count()).toBe(0);

  // Once it is applied, the page that is open shows it.
  const { run } = await must(api, "createRun", { workspaceId: id }, "run { id }");
  await waitForStatus(api, run.id, "FINISHED");
  const suggested = probes.getByRole("listitem").filter({ hasText: "{{outputs.url}}" });
  await suggested.getByText("Its shape is STATIC, and it has the output url.").waitFor();
  await suggested.scrollIntoViewIfNeeded();
  await checkViews(page, "probe-suggested");

  // What another person adds meanwhile stays.
  const add = suggested.getByRole("button", { name: "Add web-2" });
  await must(
    api,
    "updateWorkspace",
    { workspaceId: id, probes: [...others, { ...others[0], name: "more" }] },
    "workspace { id }",
  );
  await add.press("Enter");
  await probes.getByText("The probe web-2 was added.").waitFor();
  await suggested.waitFor({ state: "detached" });
  await probes.getByRole("row", { name: /web-2/ }).first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("The probe web-2 was added.");
  const { workspace } = await api.ask(
    `{ workspace(by: { id: "${id}" }) { probes { name kind use weight from target paths } suggestedProbes { name } } }`,
  );
  expect(workspace.probes.map(({ name }: { name: string }) => name)).toEqual(["web", "more", "web-2"]);
  expect(workspace.probes[2]).toEqual({
    name: "web-2",
    kind: "HTTP",
    use: "BOTH",
    weight: "INFORMATIONAL",
    from: "SERVER",
    target: "{{outputs.url}}",
    paths: [],
  });
  expect(workspace.suggestedProbes).toEqual([]);
  await checkViews(page, "probe-added");
  expect(reports).toEqual([]);
});
