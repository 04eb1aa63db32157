/** The settings of a workspace that its page has beside its gates: hooks, limits, drift, verification, checks and others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { startWebhookTarget, status, type WebhookTarget } from "../../support/webhook-target.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `resource "terraform_data" "web" { input = "one" }`;

let target: WebhookTarget;
let scene: ConsoleScene;
beforeAll(async () => {
  target = await startWebhookTarget();
  // Services report to the public address, which a scene has with its link.
  const env = { HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${target.port}` };
  scene = await openConsoleScene({ isFaulty: true, env });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

it("sets the hooks and the limits of a workspace, and shows its labels", async () => {
  const { api } = scene.server;
  const id = await scene.createWorkspace("shop", { "main.tf": MAIN });
  await must(api, "updateWorkspace", { workspaceId: id, labels: ["env:prod"] }, "workspace { id }");
  const stored = async () =>
    (
      await api.ask(`{ workspace(by: { id: "${id}" }) { hooks { stage purpose command }
      limits { planSeconds applyApprovalSeconds approvalTimeoutAction } } }`)
    ).workspace;
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("env:prod").waitFor();
  const hooks = page.getByRole("region", { name: "Hooks" });
  await hooks.getByText("Nothing is performed").waitFor();
  const add = async (when: string, command: string): Promise<void> => {
    await hooks.getByRole("button", { name: "New hook" }).press("Enter");
    const adding = page.getByRole("dialog", { name: "New hook of shop" });
    await adding.getByLabel("When").selectOption(when);
    await adding.getByLabel("Command").fill(command);
    await adding.getByRole("button", { name: "Add the hook" }).press("Enter");
    await adding.waitFor({ state: "detached" });
  };
  await add("Before a plan", "./fetch.sh");
  await add("After an apply that succeeded", "./notify.sh \u202e");
  const second = hooks.getByRole("row", { name: /2\. after apply/ });
  await second.getByText("./notify.sh \\u202e").waitFor();
  // Another person changes the second hook while the form is open.
  await second.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the hook 2 of shop" });
  await changing.getByLabel("Purpose").selectOption("It rolls out what was applied");
  const [first] = (await stored()).hooks;
  const others = [first, { stage: "AFTER_APPLY", command: "./other.sh" }];
  await must(api, "updateWorkspace", { workspaceId: id, hooks: others }, "workspace { id }");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await changing.getByText(/2 was changed meanwhile/).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.reload();
  await untilLive(page);
  await second.getByRole("button", { name: "Change" }).press("Enter");
  await changing.getByLabel("Command").fill(" ");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await changing.locator('textarea[name="command"][aria-invalid=true]').waitFor();
  await changing.getByLabel("Command").fill("./roll.sh");
  await changing.getByLabel("Purpose").selectOption("It rolls out what was applied");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await second.getByText("rollout").waitFor();
  await second.getByRole("button", { name: "Move up" }).press("Enter");
  await hooks.getByRole("row", { name: /1\. after apply/ }).waitFor();
  expect((await stored()).hooks).toEqual([{ stage: "AFTER_APPLY", purpose: "ROLLOUT", command: "./roll.sh" }, first]);

  const limits = page.getByRole("region", { name: "Limits" });
  await limits.getByRole("button", { name: "Change the limits" }).press("Enter");
  const setting = page.getByRole("dialog", { name: "Limits of shop" });
  await setting.getByLabel("A plan: seconds").fill("5");
  await setting.getByLabel("At the apply gate: seconds").fill("86400");
  await setting.getByLabel("A run that waits too long").selectOption("It is escalated");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await setting.locator('input[name="planSeconds"][aria-invalid=true]').waitFor();
  await setting.getByLabel("A plan: seconds").fill("900");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await limits.getByText("15 min 0 s").waitFor();
  const set = { planSeconds: 900, applyApprovalSeconds: 86_400, approvalTimeoutAction: "ESCALATE" };
  expect((await stored()).limits).toEqual(set);
  await limits.scrollIntoViewIfNeeded();
  await checkViews(page, "workspace-limits");
  await limits.getByRole("button", { name: "Change the limits" }).press("Enter");
  await setting.getByLabel("A plan: seconds").fill("");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await limits.getByText("15 min 0 s", { exact: true }).waitFor({ state: "detached" });
  expect((await stored()).limits).toEqual({ ...set, planSeconds: null });
  expect(reports).toEqual([]);
});

it("sets how a workspace is checked for drift, is verified and goes back, and keeps what others change", async () => {
  const { api } = scene.server;
  const id = await scene.createWorkspace("ledger", { "main.tf": MAIN });
  const set = (input: object) => must(api, "updateWorkspace", { workspaceId: id, ...input }, "workspace { id }");
  const stored = async () =>
    (
      await api.ask(`{ workspace(by: { id: "${id}" }) { driftSettings { mode reconcile ignore { addressGlob attribute } }
      verificationSettings { intervalSeconds windowSeconds failFastAfter onInconclusive afterDestroy }
      rollbackSettings { mode guards { type name } } } }`)
    ).workspace;
  await using opened = await scene.open("/o/default/w/ledger");
  const { page, reports } = opened;
  await signIn(page, api.token);

  const drift = page.getByRole("region", { name: "Checks for drift" });
  await drift.getByRole("button", { name: "Change the checks" }).press("Enter");
  const checking = page.getByRole("dialog", { name: "Checks for drift of ledger" });
  await checking.getByLabel("If they find drift").selectOption("A run undoes it once a person approves");
  await checkViews(page, "workspace-drift-form");
  // Another person changes the other field meanwhile.
  await set({ drift: { mode: "REFRESH_ONLY" } });
  await checking.getByRole("button", { name: "Change the checks" }).press("Enter");
  await drift.getByText("A run undoes it once a person approves").waitFor();
  await drift.getByText("By a refresh").waitFor();
  await drift.getByRole("button", { name: "New ignored change" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "New ignored change of ledger" });
  await adding.getByLabel("Attribute").fill("tags.*");
  await adding.getByRole("button", { name: "Add the ignored change" }).press("Enter");
  await adding.locator('input[name="attribute"][aria-invalid=true]').waitFor();
  await adding.getByLabel("Attribute").fill("tags.Owner");
  await adding.getByRole("button", { name: "Add the ignored change" }).press("Enter");
  const ignored = drift.getByRole("row", { name: /tags\.Owner/ });
  await ignored.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the ignored change 1 of ledger" });
  await changing.getByLabel("Resources").fill("aws_instance.*");
  const rules = [{ addressGlob: "aws_db.*", attribute: "*" }];
  await set({ drift: { ignore: rules } });
  await changing.getByRole("button", { name: "Change the ignored change" }).press("Enter");
  await changing.getByText(/1 was changed meanwhile/).waitFor();
  await closeDialog(page);
  expect((await stored()).driftSettings).toEqual({ mode: "REFRESH_ONLY", reconcile: "PROPOSE", ignore: rules });

  const verification = page.getByRole("region", { name: "Verification" });
  await verification.getByRole("button", { name: "Change the verification" }).press("Enter");
  const verifying = page.getByRole("dialog", { name: "Verification of ledger" });
  await verifying.getByLabel("Seconds between two rounds").fill("120");
  await verifying.getByLabel("Failures in a row").fill("4");
  await verifying.getByLabel("Without a result").selectOption("The run ends as one that passed");
  await verifying.getByRole("button", { name: "Change the verification" }).press("Enter");
  await verifying.locator('input[name="windowSeconds"][aria-invalid=true]').waitFor();
  await checkViews(page, "workspace-verification-form");
  await verifying.getByLabel("Seconds from the first probes").fill("600");
  await set({ verificationSettings: { afterDestroy: "EXPECT_GONE" } });
  await verifying.getByRole("button", { name: "Change the verification" }).press("Enter");
  await verification.getByText("4 in a row of one required probe").waitFor();
  await verification.getByRole("button", { name: "Change the verification" }).press("Enter");
  await verifying.getByLabel("Failures in a row").fill("");
  await verifying.getByRole("button", { name: "Change the verification" }).press("Enter");
  await verification.getByText("no number of failures").waitFor();
  expect((await stored()).verificationSettings).toEqual({
    intervalSeconds: 120,
    windowSeconds: 600,
    failFastAfter: null,
    onInconclusive: "PASS",
    afterDestroy: "EXPECT_GONE",
  });

  const rollback = page.getByRole("region", { name: "Rollback" });
  await rollback.getByRole("button", { name: "New guard" }).press("Enter");
  const guarding = page.getByRole("dialog", { name: "New guard of ledger" });
  await guarding.getByLabel("Name").fill("schema \u202e");
  await guarding.getByRole("button", { name: "Add the guard" }).press("Enter");
  await rollback.getByRole("row", { name: /1\. schema \\u202e/ }).waitFor();
  await rollback.getByRole("button", { name: "Change the rollback" }).press("Enter");
  const goingBack = page.getByRole("dialog", { name: "Rollback of ledger" });
  await goingBack
    .getByLabel("After an apply")
    .selectOption("A run goes back, without a person if it takes nothing away");
  await goingBack.getByRole("button", { name: "Change the rollback" }).press("Enter");
  await goingBack.locator('select[name="mode"][aria-invalid=true]').waitFor();
  await checkViews(page, "workspace-rollback-form");
  await set({ planApproval: "WHEN_REQUIRED" });
  await goingBack.getByRole("button", { name: "Change the rollback" }).press("Enter");
  await goingBack.waitFor({ state: "detached" });
  await rollback.getByText("A run goes back, without a person").waitFor();
  const guards = [{ type: "OUTPUT", name: "schema \u202e" }];
  expect((await stored()).rollbackSettings).toEqual({ mode: "AUTO_SAFE", guards });
  expect(reports).toEqual([]);
});

it("chooses the runners, the tests and the expiry of a workspace, and shows them without forms to readers", async () => {
  const { api } = scene.server;
  const id = await scene.createWorkspace("lab", { "main.tf": MAIN });
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const pool = { organizationId: organization.id, name: "gpus", reserved: true };
  const { runnerPool } = await must(api, "createRunnerPool", pool, "runnerPool { id }");
  const stored = async () =>
    (
      await api.ask(`{ workspace(by: { id: "${id}" }) { name runnerLabels runnerPool { name } tests expiresAt
      deployShape hasStartCommand deployTarget
      autoApply planApproval interruptApply tasksAllowed } }`)
    ).workspace;
  await using opened = await scene.open("/o/default/w/lab");
  const { page, reports } = opened;
  await signIn(page, api.token);

  const runners = page.getByRole("region", { name: "Runners" });
  await runners.getByRole("button", { name: "Choose the runners" }).press("Enter");
  const choosing = page.getByRole("dialog", { name: "Runners of lab" });
  await choosing.getByLabel("Labels that a runner must have").fill("gpu, Big");
  // Another person chooses the pool meanwhile.
  await must(api, "updateWorkspace", { workspaceId: id, runnerPoolId: runnerPool.id }, "workspace { id }");
  await choosing.getByRole("button", { name: "Choose the runners" }).press("Enter");
  await choosing.locator('input[name="runnerLabels"][aria-invalid=true]').waitFor();
  await checkViews(page, "workspace-runners-form");
  await choosing.getByLabel("Labels that a runner must have").fill("gpu, big");
  await choosing.getByRole("button", { name: "Choose the runners" }).press("Enter");
  await runners.getByText("big, gpu").waitFor();
  await runners.getByRole("link", { name: "gpus" }).waitFor();
  expect(await stored()).toMatchObject({ runnerLabels: ["big", "gpu"], runnerPool: { name: "gpus" } });
  await runners.getByRole("button", { name: "Choose the runners" }).press("Enter");
  await choosing.getByLabel("Pool").selectOption("None: shared runners, and pools that are not reserved");
  await choosing.getByRole("button", { name: "Choose the runners" }).press("Enter");
  await runners.getByText("none: shared runners").waitFor();
  expect(await stored()).toMatchObject({ runnerLabels: ["big", "gpu"], runnerPool: null });

  const tests = page.getByRole("region", { name: "Tests" });
  await tests.getByRole("button", { name: "Change the tests" }).press("Enter");
  const testing = page.getByRole("dialog", { name: "Tests of lab" });
  await testing.getByLabel("Tests before a plan").selectOption("Those that create nothing");
  await checkViews(page, "workspace-tests-form");
  await testing.getByRole("button", { name: "Change the tests" }).press("Enter");
  await tests.getByText("Those that create nothing").waitFor();
  expect(await stored()).toMatchObject({ tests: "PLAN_ONLY" });

  const shape = page.getByRole("region", { name: "Shape" });
  await shape.getByRole("button", { name: "Set the shape" }).press("Enter");
  const shaping = page.getByRole("dialog", { name: "Shape of lab" });
  await shaping.getByLabel("What it deploys").selectOption("Files that a build makes");
  await shaping.getByLabel("It has a start command").selectOption("Yes: it starts a server");
  await checkViews(page, "workspace-shape-form");
  await shaping.getByRole("button", { name: "Set the shape" }).press("Enter");
  await shape.getByText("Containers (ECS)").waitFor();
  const set = { deployShape: "STATIC_BUILD", hasStartCommand: true, deployTarget: "ECS" };
  expect(await stored()).toMatchObject(set);
  await shape.getByRole("button", { name: "Set the shape" }).press("Enter");
  await shaping.getByLabel("It has a start command").selectOption("As a hook finds it");
  await shaping.getByRole("button", { name: "Set the shape" }).press("Enter");
  await shape.getByRole("definition").filter({ hasText: "Containers" }).waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ ...set, hasStartCommand: null, deployTarget: null });

  const expiry = page.getByRole("region", { name: "Expiry" });
  await expiry.getByText("It does not expire.").waitFor();
  await expiry.getByRole("button", { name: "Let it expire" }).press("Enter");
  const ending = page.getByRole("dialog", { name: "Expiry of lab" });
  const year = new Date().getFullYear();
  await ending.getByLabel("It expires").fill(`${year - 1}-03-01T12:30`);
  await ending.getByRole("button", { name: "Let it expire" }).press("Enter");
  await ending.locator('input[name="expiresAt"][aria-invalid=true]').waitFor();
  await checkViews(page, "workspace-expiry-form");
  await ending.getByLabel("It expires").fill(`${year + 2}-03-01T12:30`);
  await ending.getByRole("button", { name: "Let it expire" }).press("Enter");
  await expiry.getByText("then it is deleted").waitFor();
  const at = await page.evaluate((time) => new Date(time).toISOString(), `${year + 2}-03-01T12:30`);
  expect(Date.parse((await stored()).expiresAt)).toBe(Date.parse(at));
  await expiry.getByRole("button", { name: "Change the expiry" }).press("Enter");
  expect(await ending.getByLabel("It expires").inputValue()).toBe(`${year + 2}-03-01T12:30`);
  await closeDialog(page);

  // A form of gates sends what was changed in it alone, too.
  await page.getByRole("button", { name: "Gates" }).press("Enter");
  const gates = page.getByRole("dialog", { name: "Gates of lab" });
  await gates.getByLabel("Plans that are applied").selectOption("Those that only create");
  await gates.getByLabel("Runs of kind task").check();
  const others = { planApproval: "WHEN_REQUIRED", interruptApply: true };
  await must(api, "updateWorkspace", { workspaceId: id, ...others }, "workspace { id }");
  // The page behind the form knows of it, and the choice in the form is an older one.
  await page.locator("section[aria-label=Rules]").getByText("A plan waits only where a rule requires it").waitFor();
  await gates.getByRole("button", { name: "Change the gates" }).press("Enter");
  await gates.waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ ...others, autoApply: "CREATE_ONLY", tasksAllowed: true });
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const naming = page.getByRole("dialog", { name: "Settings of lab" });
  await naming.getByLabel("Name").fill("Lab 2");
  await naming.getByRole("button", { name: "Change the workspace" }).press("Enter");
  await naming.locator('input[name="name"][aria-invalid=true]').waitFor();
  await naming.getByLabel("Name").fill("lab2");
  await naming.getByRole("button", { name: "Change the workspace" }).press("Enter");
  await page.waitForURL("**/w/lab2");
  await page.getByRole("heading", { name: "lab2" }).waitFor();
  expect(await stored()).toMatchObject({ name: "lab2" });

  const { secret } = await must(api, "createToken", { name: "reader", role: "READER" }, "secret");
  await using reading = await scene.open("/o/default/w/lab2");
  await signIn(reading.page, secret);
  for (const name of [
    "Limits",
    "Checks for drift",
    "Verification",
    "Rollback",
    "Tests",
    "Shape",
    "Runners",
    "Expiry",
  ]) {
    const section = reading.page.getByRole("region", { name, exact: true });
    await section.waitFor();
    expect(await section.getByRole("button").count(), name).toBe(0);
  }

  await expiry.getByRole("button", { name: "Let it live on" }).press("Enter");
  await expiry.getByText("It does not expire.").waitFor();
  expect(await stored()).toMatchObject({ expiresAt: null });
  expect(reports).toEqual([]);
  expect(reading.reports).toEqual([]);
});

it("creates an external check, tests it, and shows it on the page of a workspace that it judges", async () => {
  const { api } = scene.server;
  await scene.createWorkspace("judged", { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/checks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("No service judges the runs of this organization.").waitFor();
  await page.getByRole("button", { name: "New external check" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New external check" });
  await creating.getByLabel("Name", { exact: true }).fill("scanner");
  await creating.getByLabel("Address of the service").fill("http://127.0.0.1:1/scan");
  await creating.getByLabel("Key that signs requests").fill("a-key-that-is-secret");
  await creating.getByLabel("Names of workspaces").fill("judged*");
  await creating.getByRole("button", { name: "Create the external check" }).press("Enter");
  await creating.locator('input[name="url"][aria-invalid=true]').waitFor();
  await creating.getByLabel("Address of the service").fill(`${target.url}/scan`);
  target.answer(status(200), status(500), status(200));
  await creating.getByRole("button", { name: "Create the external check" }).press("Enter");
  const row = page.getByRole("row", { name: /scanner/ });
  await row.getByText("signed", { exact: true }).waitFor();
  await row.getByText("names judged*").waitFor();
  expect(await page.content()).not.toContain("a-key-that-is-secret");
  await row.getByRole("button", { name: "Send a test" }).press("Enter");
  await row.getByText(/500/).waitFor();
  await row.getByRole("button", { name: "Send a test" }).press("Enter");
  await row.getByText("it answers").waitFor();
  await checkViews(page, "checks");

  // Another person changes the level meanwhile, and it stays.
  await row.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the external check scanner" });
  await changing.getByLabel("Names of workspaces").fill("judged*, other");
  const read = async () => {
    const fields = "id level onError totalSeconds signed selector { names labels }";
    return (await api.ask(`{ organization(slug: "default") { externalChecks { ${fields} } } }`)).organization
      .externalChecks;
  };
  const [before] = await read();
  await must(api, "updateExternalCheck", { checkId: before.id, level: "ADVISORY" }, "externalCheck { id }");
  await changing.getByRole("button", { name: "Change the external check" }).press("Enter");
  await row.getByText("names judged*, other").waitFor();
  const selector = { names: ["judged*", "other"], labels: [] };
  expect(await read()).toEqual([{ ...before, level: "ADVISORY", selector }]);
  await changing.waitFor({ state: "detached" });
  await must(api, "updateExternalCheck", { checkId: before.id, level: before.level }, "externalCheck { id }");

  await page.goto(`${scene.site}/o/default/w/judged`);
  const checks = page.getByRole("region", { name: "Checks", exact: true });
  await checks.getByText(/soft mandatory, post plan/).waitFor();
  await checks.getByRole("link", { name: "scanner" }).press("Enter");
  await untilLive(page);
  await row.getByRole("button", { name: "Switch off" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).press("Enter");
  await row.getByText("switched off").waitFor();
  await row.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("No service judges").waitFor();
  expect(reports).toEqual([]);
});
