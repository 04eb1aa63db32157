/** A workspace from nothing: created, configured, planned with its variable, and deleted, in the browser alone. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { writeFiles } from "../../e2e/holdpoint.ts";
import { must } from "../../support/people-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `variable "greeting" { type = string }
resource "terraform_data" "web" { input = var.greeting }`;
const SECRET = "correct-horse-battery";

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("lists a workspace that comes while the list is open, and leads there by its permanent link", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/workspaces");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("No workspaces.").waitFor();
  const id = await scene.createWorkspace("late", { "main.tf": MAIN });
  const row = page.getByRole("row", { name: /late/ });
  await row.waitFor();
  await must(api, "lockWorkspace", { workspaceId: id, note: "a feast" }, "workspace { id }");
  await row.getByText("locked").waitFor();

  await page.goto(`${scene.site}/r/${id}`);
  await page.waitForURL("**/o/default/w/late");
  await page.getByRole("heading", { name: /late/ }).waitFor();
  await page.goto(`${scene.site}/r/ws_none`);
  await page.getByText("There is no such workspace that you may see.").waitFor();
  await must(api, "unlockWorkspace", { workspaceId: id }, "workspace { id }");
  await must(api, "deleteWorkspace", { workspaceId: id }, "deletedId");
  expect(reports).toEqual([]);
});

it("creates a workspace in a project by a right that begins there", async () => {
  const { server, sourceRoot } = scene;
  const { api } = server;
  await writeFiles(join(sourceRoot, "edge"), { "main.tf": MAIN });
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const organizationId = organization.id;
  const { actor } = await must(api, "createServiceAccount", { organizationId, name: "builder" }, "actor { id }");
  const { secret } = await must(api, "createToken", { ownerId: actor.id, name: "builder" }, "secret");
  const make = (name: string) => must(api, "createProject", { organizationId, name }, "project { id }");
  const [web, data] = [await make("web"), await make("data")];
  await make("hidden");
  const roleId = builtInRoleId("WRITER");
  await must(api, "createGrant", { principalId: actor.id, roleId, scopeId: web.project.id }, "grant { id }");
  await using opened = await scene.open("/o/default/workspaces");
  const { page, reports } = opened;
  await signIn(page, secret);
  // One project is no choice; two are, and a third without the right is none.
  await page.getByRole("button", { name: "New workspace" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New workspace" });
  await creating.getByLabel("Name").waitFor();
  expect(await creating.getByLabel("Project").count()).toBe(0);
  await closeDialog(page);
  await must(api, "createGrant", { principalId: actor.id, roleId, scopeId: data.project.id }, "grant { id }");
  await page.reload();
  await page.getByRole("button", { name: "New workspace" }).press("Enter");
  await creating.getByLabel("Name").waitFor();
  expect(await creating.getByLabel("Project").locator("option").allTextContents()).toEqual(["data", "web"]);
  await creating.getByLabel("Name").fill("edge");
  await creating.getByLabel("Project").selectOption("web");
  await creating.getByLabel("Configuration").selectOption("directory");
  await creating.getByLabel("Folder").fill(join(sourceRoot, "edge"));
  await creating.getByRole("button", { name: "Create the workspace" }).press("Enter");
  await page.waitForURL("**/o/default/w/edge");
  const path = `{ path: { organization: "default", name: "edge" } }`;
  const { workspace } = await api.ask(`{ workspace(by: ${path}) { id project { id } } }`);
  expect(workspace.project.id).toBe(web.project.id);
  await must(api, "deleteWorkspace", { workspaceId: workspace.id }, "deletedId");
  expect(reports).toEqual([]);
});

it("creates a workspace, sets its variables and gates, shows its rules, and deletes it", async () => {
  const { sourceRoot, server } = scene;
  const { api } = server;
  await writeFiles(join(sourceRoot, "shop"), { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/workspaces");
  const { page, reports } = opened;
  await signIn(page, api.token);

  // What is wrong is said at its field, and nothing that was typed is lost.
  await page.getByRole("button", { name: "New workspace" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New workspace" });
  await creating.getByLabel("Name").fill("Shop!");
  await creating.getByLabel("Configuration").selectOption("directory");
  await creating.getByLabel("Folder").fill(join(sourceRoot, "shop"));
  await page.keyboard.press("Enter");
  await creating.locator('input[name="name"][aria-invalid=true]').waitFor();
  await checkViews(page, "workspace-new");
  await creating.getByLabel("Name").fill("shop");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/o/default/w/shop");

  const variables = page.getByRole("region", { name: "Variables" });
  await variables.getByText("There are no variables.").waitFor();
  const row = (name: string) => variables.getByRole("row").filter({ hasText: name });
  const set = async (name: string, value: string, flags: readonly string[] = [], kind = "ENGINE"): Promise<void> => {
    await variables.getByRole("button", { name: "New variable" }).press("Enter");
    const setting = page.getByRole("dialog", { name: "New variable of shop" });
    await setting.getByLabel("Name").fill(name);
    await setting.getByLabel("Kind").selectOption(kind);
    await setting.getByLabel("Value", { exact: true }).fill(value);
    for (const flag of flags) await setting.getByLabel(flag).check();
    await setting.getByRole("button", { name: "Set the variable" }).press("Enter");
    await setting.waitFor({ state: "detached" });
  };
  await set("greeting", "  two\nlines \u202e");
  await set("TOKEN", SECRET, ["Sensitive"], "ENVIRONMENT");
  await variables.getByRole("row", { name: /greeting/ }).waitFor();
  await variables.getByText("(sensitive)").waitFor();
  const stored = async (): Promise<unknown> =>
    (
      await api.ask(`{ workspace(by: { path: { organization: "default", name: "shop" } }) {
      variables { key value sensitive category } planApproval autoApply description labels } }`)
    ).workspace;
  expect(await stored()).toMatchObject({
    variables: [
      { key: "greeting", value: "  two\nlines \u202e", sensitive: false, category: "ENGINE" },
      { key: "TOKEN", value: null, sensitive: true, category: "ENVIRONMENT" },
    ],
  });
  expect(await page.content()).not.toContain(SECRET);
  await row("greeting").getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the variable greeting of shop" });
  expect(await changing.getByLabel("Value", { exact: true }).inputValue()).toBe("  two\nlines \u202e");
  await changing.getByLabel("Value", { exact: true }).fill("hello");
  await changing.getByRole("button", { name: "Set the variable" }).press("Enter");
  await variables.getByRole("row", { name: /greeting.*hello/ }).waitFor();
  // Without its value a sensitive variable is not sent: an empty one would take its place.
  await row("TOKEN").getByRole("button", { name: "Change" }).press("Enter");
  const resetting = page.getByRole("dialog", { name: "Change the variable TOKEN of shop" });
  expect(await resetting.getByLabel("Value", { exact: true }).inputValue()).toBe("");
  await resetting.getByRole("button", { name: "Set the variable" }).press("Enter");
  await resetting.locator("textarea:invalid").waitFor();
  await closeDialog(page);
  await row("TOKEN").getByRole("button", { name: "Delete" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Delete the variable TOKEN of shop" });
  await asking.getByRole("button", { name: "Delete" }).press("Enter");
  await variables.getByRole("row", { name: /TOKEN/ }).waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Gates" }).press("Enter");
  const gates = page.getByRole("dialog", { name: "Gates of shop" });
  await gates.getByLabel("Plans", { exact: true }).selectOption("WHEN_REQUIRED");
  await gates.getByRole("button", { name: "Change the gates" }).press("Enter");
  await gates.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const settings = page.getByRole("dialog", { name: "Settings of shop" });
  await settings.getByLabel("Purpose").fill("sells \u202ethings");
  await settings.getByLabel("Labels").fill("team:shop, tier");
  await settings.getByRole("button", { name: "Change the workspace" }).press("Enter");
  await page.getByText("sells \\u202ethings").waitFor();
  expect(await stored()).toMatchObject({
    planApproval: "WHEN_REQUIRED",
    autoApply: "NEVER",
    description: "sells \u202ethings",
    labels: ["team:shop", "tier"],
  });

  // A rule, a window, a probe and a dependency that others set are shown.
  const { workspace } = await api.ask(`{ workspace(by: { path: { organization: "default", name: "shop" } }) { id } }`);
  await must(
    api,
    "updateWorkspace",
    {
      workspaceId: workspace.id,
      approvalRules: [
        { name: "two people", gate: "APPLY", minimum: 1, machinesCount: true, when: { minDestructions: 1 } },
      ],
      freezeWindows: [{ name: "night", cron: "0 22 * * *", timeZone: "Europe/Berlin", durationMinutes: 480 }],
      probes: [{ name: "web", kind: "TCP", use: "VERIFY", from: "RUNNERS", target: "10.0.0.7:80" }],
    },
    "workspace { id }",
  );
  const upstream = await scene.createWorkspace("net", { "main.tf": 'output "id" { value = "n" }' });
  await must(
    api,
    "setWorkspaceDependencies",
    { workspaceId: workspace.id, dependencies: [{ upstreamId: upstream, trigger: "OUTPUTS_CHANGED" }] },
    "workspace { id }",
  );
  await page.reload();
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.getByText("1 approval at the apply gate, by anyone who may approve, machines count").waitFor();
  await rules.getByText("Only of runs that destroy 1 or more").waitFor();
  await rules.getByText(/Nothing is applied in night/).waitFor();
  await page.getByRole("table", { name: "Takes outputs of" }).getByRole("link", { name: "net" }).waitFor();
  await page.getByRole("region", { name: "Probes" }).getByText("after each apply").waitFor();
  await checkViews(page, "workspace-settings");

  // Runs of a paused workspace wait in its queue, the urgent one first, until they leave it.
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await page.getByText("Paused: new runs wait.").waitFor();
  const queue = page.getByRole("region", { name: "Queue" });
  const runIds = [await createRun(api, workspace.id), await createRun(api, workspace.id, { priority: 5 })];
  await queue.getByRole("heading", { name: "Queue 2" }).waitFor();
  await queue.getByRole("row").nth(1).getByRole("link", { name: "shop #2" }).waitFor();
  for (const runId of runIds) await must(api, "cancelRun", { runId }, "run { id }");
  await queue.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Delete the workspace" }).press("Enter");
  await page
    .getByRole("dialog", { name: "Delete the workspace shop" })
    .getByRole("button", { name: "Delete the workspace" })
    .press("Enter");
  await page.waitForURL("**/o/default/workspaces");
  const list = page.getByRole("table", { name: "Workspaces" });
  await list.getByRole("row", { name: /net/ }).waitFor();
  await list.getByRole("row", { name: /shop/ }).waitFor({ state: "detached" });
  expect(reports).toEqual([]);
});
