/** The page of a run in a browser, on jobs whose plans the test makes. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FakeJob } from "../../support/fake-runner.ts";
import { createdResource } from "../../support/resource-changes.ts";
import { must } from "../../support/people-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { openFakeJobs } from "./fake-jobs.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

let scene: ConsoleScene;
let claimNext: () => Promise<FakeJob>;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  claimNext = await openFakeJobs(scene.server.url, scene.server.api);
});
afterAll(() => scene[Symbol.asyncDispose]());

const instance = (name: string, size: string, more: object = {}) =>
  createdResource(name, {
    action: "UPDATE",
    before: { size: "s", zone: "a" },
    after: { size, zone: "a" },
    unknownPaths: [],
    ...more,
  });

it("shows former plans by their addresses, decides nothing beside them, and compares their attributes", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("versions", { "main.tf": "" });
  const runId = await createRun(api, workspaceId);
  const first = await claimNext();
  await first.plan({ resourceChanges: [instance("web", "m"), instance("nat", "m"), createdResource("gone")] });
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", 1);
  await api.ask(`mutation { replanRun(input: { runId: "${runId}", planVersion: 1 }) { __typename } }`);
  const second = await claimNext();
  const dependsOn = ["module.net", "terraform_data.nat\u202e"];
  const many = Array.from({ length: 120 }, (_, at) => createdResource(`many[${at}]`, at === 1 ? { dependsOn } : {}));
  await second.plan({ resourceChanges: [instance("web", "l\u202exl", { dependsOn }), instance("nat", "m"), ...many] });
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", 2);

  await using opened = await scene.open("/o/default/w/versions/runs/1");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const asked = page.getByRole("region", { name: "What is asked" });
  await asked.getByRole("button", { name: "Approve plan v2…" }).waitFor();
  await page.getByText("122 changes in 3 patterns").waitFor();
  const dependencies = page.getByText("Depends on module.net, terraform_data.nat\\u202e");
  expect(await dependencies.count()).toBe(1);
  await page.getByText("120 × terraform_data").click();
  await page.locator("summary", { hasText: "terraform_data.many[1]" }).click();
  await dependencies.nth(1).waitFor();
  expect(await page.getByText("Depends on").count()).toBe(2);

  const plans = page.getByRole("navigation", { name: "Plans of the run" });
  await plans.getByRole("link", { name: "v1" }).click();
  await page.getByText("3 changes in 2 patterns").waitFor();
  await page.getByText("Plan v1 is not the current one.").waitFor();
  expect(new URL(page.url()).search).toBe("?tab=plan&plan=1");
  expect(await asked.getByRole("button", { name: /Approve|Reject|Plan again|Discard/ }).count()).toBe(0);
  expect(await page.getByRole("checkbox", { name: /^Pick/ }).count()).toBe(0);
  await page.keyboard.press("a");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.reload();
  await page.getByText("Plan v1 is not the current one.").waitFor();
  await checkViews(page, "former-plan");

  await page.getByLabel("Compare v1 with").selectOption("v2");
  const backwards = page.getByRole("region", { name: "Comparison with plan v2" });
  await backwards.getByText("Between v2 and v1: 1 new, 120 gone, 1 different. 1 is as in v2.").waitFor();
  await asked.getByRole("button", { name: "Read plan v2" }).click();
  await asked.getByRole("button", { name: "Approve plan v2…" }).waitFor();
  await page.getByLabel("Compare v2 with").selectOption("v1");
  const comparison = page.getByRole("region", { name: "Comparison with plan v1" });
  await comparison.getByText("Between v1 and v2: 120 new, 1 gone, 1 different. 1 is as in v1.").waitFor();
  await comparison.getByText('before "m"').waitFor();
  await comparison.getByText('after "l\\u202exl"').waitFor();
  expect(await comparison.getByText("size", { exact: true }).count()).toBe(1);
  expect(await comparison.getByText("zone", { exact: true }).count()).toBe(0);
  await page.reload();
  await comparison.getByText('before "m"').waitFor();
  await checkViews(page, "compared-plans");

  // A version that the run does not have.
  await page.goto(`${scene.site}/o/default/w/versions/runs/1?tab=plan&plan=9`);
  await page.getByText("The run has no plan v9.").waitFor();

  await opensNamedChange(page);
  expect(reports).toEqual([]);
});

/** A change that the address names is open and in sight, and one that is opened gets into the address. */
async function opensNamedChange(page: Page): Promise<void> {
  await page.goto(`${scene.site}/o/default/w/versions/runs/1?change=terraform_data.many%5B90%5D`);
  const named = page.locator("details[data-shown]");
  await named.getByText("terraform_data.many[90]").waitFor();
  expect(await named.getAttribute("open")).not.toBeNull();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector("details[data-shown]")?.getBoundingClientRect() ?? new DOMRect();
    return top > 0 && bottom <= innerHeight;
  });
  await page.locator("summary", { hasText: "terraform_data.many[91]" }).click();
  await page.waitForURL("**change=terraform_data.many%5B91%5D**");
  await page.locator("details[data-shown] > summary", { hasText: "terraform_data.many[91]" }).waitFor();
  await page.locator("summary", { hasText: "terraform_data.many[90]" }).waitFor();
}

it("shows what others change about a run and its rules, on pages that are open", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("watched", { "main.tf": "" });
  const runId = await createRun(api, workspaceId);
  await (await claimNext()).plan();
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", 1);
  await using opened = await scene.open("/o/default/w/watched/runs/1?tab=comments");
  const { page, context, reports } = opened;
  await signIn(page, api.token);
  const asked = page.getByRole("region", { name: "What is asked" });
  await asked.getByText("plan: 1 missing").waitFor();
  const [rules, workspace] = [await context.newPage(), await context.newPage()];
  await rules.goto(`${scene.site}/o/default/rules`);
  await rules.getByText("There are none: workspaces decide by their own.").waitFor();
  await workspace.goto(`${scene.site}/o/default/w/watched`);
  await workspace.getByText("One approval at each gate").waitFor();

  // Only a page that is seen reads again.
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const setRules = (approvalRules: object[]) =>
    must(api, "updateOrganization", { organizationId: organization.id, approvalRules }, "organization { id }");
  await setRules([{ name: "four eyes", gate: "PLAN", minimum: 1, machinesCount: true }]);
  for (const shown of [rules, workspace]) {
    await shown.bringToFront();
    await shown.getByText("four eyes").first().waitFor();
  }
  await page.bringToFront();
  await asked.getByText("plan gate, four eyes: 1 missing").waitFor();
  await setRules([]);
  await asked.getByText("plan: 1 missing").waitFor();

  const comment = (text: string) => must(api, "commentOnRun", { runId, text }, "comment { id }");
  await comment("before the end");
  await page.getByText("before the end").waitFor();
  await must(api, "discardRun", { runId, planVersion: 1 }, "run { id }");
  await page.getByRole("heading", { name: "Ended" }).waitFor();
  await comment("behind the end");
  await page.getByText("behind the end").waitFor();
  expect(reports).toEqual([]);
});

/** Values of enums that a page of an older release does not know, in place of those of the server. */
const LATER: readonly (readonly [known: RegExp, later: string])[] = [
  [/"AWAITING_PLAN_APPROVAL"/g, '"WALTZING_SLOWLY"'],
  [/"REVIEW_PLAN"/g, '"DANCE_ALONG"'],
  [/"DEPLOY"/g, '"TANGO_NIGHT"'],
  [/"YOUR_APPROVAL"/g, '"A_LATER_REASON"'],
  [/"(?:PASSED|RUNNING)"/g, '"HALF_DONE"'],
  [/"(?:PLAN|PREPARE|INIT)"/g, '"REHEARSE"'],
];
const later = (text: string): string => LATER.reduce((known, [from, to]) => known.replaceAll(from, to), text);

it("shows values of a newer server by their names, and breaks nothing", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("newer", { "main.tf": "" });
  const runId = await createRun(api, workspaceId);
  const job = await claimNext();
  await job.log("PREPARE", "the first line");
  await job.plan({ resourceChanges: [instance("web", "m"), createdResource("new")] });
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", 1);

  await using opened = await scene.open("/login");
  const { page, reports } = opened;
  await signIn(page, api.token);
  // A file is only answered to requests of the page itself.
  await page.addInitScript(() => {
    const original = window.fetch;
    window.fetch = async (...given) => {
      const answer = await original(...given);
      if (!answer.url.endsWith("/changes")) return answer;
      return new Response((await answer.text()).replaceAll('"UPDATE"', '"TRANSMUTE"'), { status: answer.status });
    };
  });
  await page.route(/\/graphql$/, async (route) => {
    const answer = await route.fetch();
    const { "content-encoding": _encoding, "content-length": _length, ...headers } = answer.headers();
    await route.fulfill({ status: answer.status(), headers, body: later(await answer.text()) });
  });
  await page.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(later(String(message))));
  });
  const open = (path: string) => page.goto(scene.site + path);
  await open("/o/default/w/newer/runs/1?tab=plan");
  const asked = page.getByRole("region", { name: "What is asked" });
  await asked.getByRole("heading", { name: "dance along" }).waitFor();
  await page.getByText("waltzing slowly").first().waitFor();
  await page.getByText("tango night").waitFor();
  await page.getByText("2 changes in 2 patterns").waitFor();
  await page.locator('summary:has-text("transmute") code', { hasText: "terraform_data.web" }).waitFor();
  for (const tab of ["checks", "log", "timeline", "comments"]) await page.getByRole("tab", { name: tab }).click();
  await page.getByLabel("Comment").waitFor();
  await page.getByRole("tab", { name: "timeline" }).click();
  await page.getByRole("table", { name: "Statuses" }).getByText("waltzing slowly").waitFor();
  await page.getByRole("tab", { name: "log" }).click();
  await page.getByText("the first line").waitFor();
  await page.getByRole("button", { name: /^rehearse half done/ }).waitFor();
  for (const path of ["/o/default/runs?show=all", "/inbox", "/o/default", "/o/default/workspaces"]) {
    await open(path);
    await page.getByRole("main").getByText("waltzing slowly").first().waitFor();
  }
  await open("/o/default/w/newer");
  await page
    .getByRole("row", { name: /newer #1/ })
    .getByText("tango night")
    .waitFor();
  // A request that is on its way when the page is closed would fail in the route.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  expect(reports).toEqual([]);
});
