/** The pages of repositories and their hosts, and the source and the triggers of a workspace. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GitServer, startGitServer, TestRepository } from "../../support/git.ts";
import { must } from "../../support/people-steps.ts";
import { createHost, createRepository } from "../../support/repository-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { packed } from "../../support/tar.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `resource "terraform_data" "web" { input = "one" }`;

let scene: ConsoleScene;
let gitRoot: string;
let gitServer: GitServer;
beforeAll(async () => {
  gitRoot = await mkdtemp(join(tmpdir(), "holdpoint-served-"));
  gitServer = await startGitServer(gitRoot, "git", "password");
  const env = { HOLDPOINT_GIT_ALLOW: "127.0.0.1", SSL_CERT_FILE: gitServer.certificateFile };
  scene = await openConsoleScene({ env });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await gitServer[Symbol.asyncDispose]();
  await rm(gitRoot, { recursive: true });
});

/** The runs of a decision are created a moment after it: has the next answer about decisions come before. */
async function answerWithoutRuns(page: Page): Promise<void> {
  let isDue = true;
  await page.route("**/graphql", async (route) => {
    if (!isDue || !route.request().postData()?.includes("query RefChangeDecisions")) return route.continue();
    isDue = false;
    const response = await route.fetch();
    const { data } = (await response.json()) as {
      data: { node: { decisions: { edges: { node: { run: unknown } }[] } } };
    };
    for (const { node } of data.node.decisions.edges) node.run = null;
    return route.fulfill({ response, json: { data } });
  });
}

it("connects a repository, shows what a push starts and why not, and deletes what it made", async () => {
  const { server, sourceRoot } = scene;
  const { api } = server;
  const git = new TestRepository(join(sourceRoot, "infra"));
  git.commit({ "one/main.tf": MAIN, "two/main.tf": MAIN });
  await using opened = await scene.open("/o/default/repositories");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("No repository is connected. Create a git host first.").waitFor();
  const hosts = page.getByRole("region", { name: "Git hosts" });
  await hosts.getByRole("button", { name: "New git host" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New git host" });
  await creating.getByLabel("Kind").selectOption("GitHub");
  await creating.getByLabel("Name", { exact: true }).fill("disk");
  await creating.getByLabel("Address").fill(`file://${sourceRoot}`);
  await creating.getByLabel("Credential").selectOption("A private key, for ssh");
  await creating.getByLabel("Private key").fill("key");
  await creating.getByLabel("Keys of the host").fill("host");
  await creating.getByRole("button", { name: "Create the git host" }).press("Enter");
  await creating.locator("[aria-invalid=true]").first().waitFor();
  await creating.getByLabel("Kind").selectOption("Any server of git, which is polled");
  await creating.getByLabel("Credential").selectOption("None: its repositories are public");
  await creating.getByRole("button", { name: "Create the git host" }).press("Enter");
  await hosts.getByRole("row", { name: /disk.*It sends none/ }).waitFor();
  await hosts.getByRole("button", { name: "New git host" }).press("Enter");
  await creating.getByLabel("Kind").selectOption("Gitea");
  await creating.getByLabel("Name", { exact: true }).fill("tea");
  await creating.getByLabel("Address").fill("https://tea.example.com");
  await creating.getByLabel("Credential").selectOption("A token, for https");
  await creating.getByLabel("Token").fill("tea-token-4711");
  await creating.getByRole("button", { name: "Create the git host" }).press("Enter");
  const secret = (await creating.getByLabel("The secret of its hooks", { exact: true }).textContent()) ?? "";
  expect(secret.length).toBeGreaterThan(15);
  await closeDialog(page);
  const tea = hosts.getByRole("row", { name: /tea/ });
  await tea.getByText(/^http:.*\/hooks\//).waitFor();
  expect(await page.content()).not.toMatch(new RegExp(`${secret}|tea-token`));
  await tea.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await tea.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Connect a repository" }).press("Enter");
  const connecting = page.getByRole("dialog", { name: "Connect a repository" });
  await connecting.getByLabel("Path at the host").fill("infra");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /infra/ }).getByText("no hook yet").waitFor();
  await checkViews(page, "repositories");
  await page.getByRole("link", { name: "infra" }).press("Enter");
  await page.getByText("No branch and no tag has moved yet.").waitFor();
  await page.getByRole("button", { name: "Read it now" }).press("Enter");
  await page.getByText("✓ done").waitFor();

  // One workspace follows the branch by its page; the other one was made to.
  const one = await scene.createWorkspace("one", { "main.tf": MAIN });
  const { organization } = await api.ask(`{ organization(slug: "default") { repositories { id } } }`);
  const repositoryId = organization.repositories[0].id;
  const two = await scene.createWorkspace("two", { "main.tf": MAIN });
  const source = { git: { repositoryId, path: "two" } };
  await must(api, "updateWorkspace", { workspaceId: two, source, trigger: { branch: "main" } }, "workspace { id }");
  const repositoryPage = page.url();
  await page.goto(`${scene.site}/o/default/w/one`);
  const region = page.getByRole("region", { name: "Source and triggers" });
  await region.getByText("people and programs alone").waitFor();
  expect(await region.getByRole("button", { name: "Triggers" }).count()).toBe(0);
  await region.getByRole("button", { name: "Change the source" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Source of one" });
  await changing.getByLabel("Configuration").selectOption("A repository of a git host");
  await changing.getByLabel("Folder in the repository").fill("one");
  await changing.getByRole("button", { name: "Change the source" }).press("Enter");
  await region.getByRole("link", { name: "infra" }).waitFor();
  // Another client changes the branch while the form is open; a save that changes nothing leaves that.
  await region.getByRole("button", { name: "Change the source" }).press("Enter");
  const moved = { git: { repositoryId, path: "one", branch: "next" } };
  await must(api, "updateWorkspace", { workspaceId: one, source: moved }, "workspace { id }");
  await changing.getByRole("button", { name: "Change the source" }).press("Enter");
  await changing.waitFor({ state: "detached" });
  const { workspace: kept } = await api.ask(
    `{ workspace(by: { id: "${one}" }) { source { ... on GitSource { branch path } } } }`,
  );
  expect(kept.source).toEqual({ branch: "next", path: "one" });
  // One person changes the branch while another one changes the folder.
  await region.getByText("next", { exact: true }).waitFor();
  await region.getByRole("button", { name: "Change the source" }).press("Enter");
  await changing.getByLabel("Branch").fill("main");
  await must(api, "updateWorkspace", { workspaceId: one, gitSource: { path: "uno" } }, "workspace { id }");
  const sent = page.waitForRequest((request) => request.postData()?.includes("updateWorkspace") === true);
  await changing.getByRole("button", { name: "Change the source" }).press("Enter");
  expect((await sent).postDataJSON().variables.input).toEqual({
    workspaceId: one,
    gitSource: { branch: "main" },
  });
  await region.getByText("uno", { exact: true }).waitFor();
  await region.getByText("main", { exact: true }).waitFor();
  await must(api, "updateWorkspace", { workspaceId: one, gitSource: { path: "one" } }, "workspace { id }");
  await region.getByRole("button", { name: "Triggers" }).press("Enter");
  const triggers = page.getByRole("dialog", { name: "Triggers of one" });
  await triggers.getByLabel("Branch whose pushes").fill("main");
  await triggers.getByLabel("New tags").fill("/(/");
  await triggers.getByRole("button", { name: "Change the triggers" }).press("Enter");
  await triggers.locator('input[name="tags"][aria-invalid=true]').waitFor();
  await triggers.getByLabel("New tags").fill("v*");
  await triggers.getByLabel("Further files").fill("shared/*.json\nnames.txt");
  await triggers.getByRole("button", { name: "Change the triggers" }).press("Enter");
  await region.getByText("pushes to main, tags v*").waitFor();
  const { workspace } = await api.ask(`{ workspace(by: { id: "${one}" }) { trigger { alsoReads } } }`);
  expect(workspace.trigger.alsoReads).toEqual(["shared/*.json", "names.txt"]);
  await checkViews(page, "workspace-source");

  // What a branch has when it is first followed is no change of it.
  await must(api, "lookAtRepository", { repositoryId }, "changes { id }");
  const commit = git.commit({ "shared/a.json": "{}", "two/README.md": "" });
  await page.goto(repositoryPage);
  await untilLive(page);
  await page.getByRole("button", { name: "Read it now" }).press("Enter");
  const change = page.locator("details[data-change]").first();
  await change.locator("summary").getByText(commit.slice(0, 12)).waitFor();
  await change
    .locator("summary")
    .getByText(/^runs:/)
    .waitFor({ timeout: 25_000 });
  await answerWithoutRuns(page);
  await change.locator("summary").press("Enter");
  const concerned = change.getByRole("table", { name: "Workspaces that it concerned" });
  const row = concerned.getByRole("row", { name: /one.*run created/ });
  await row.getByText("Files that differ: 1").press("Enter");
  await row.getByText("shared/a.json").first().waitFor();
  await concerned.getByRole("link", { name: "one #1" }).waitFor();
  await change.getByLabel("Why, or why not, in").selectOption("two");
  await change.getByRole("button", { name: "Explain" }).press("Enter");
  const explained = change.getByRole("table", { name: "Explanation" });
  await explained.getByRole("row", { name: /two.*skipped.*inputs unchanged/ }).waitFor();
  await checkViews(page, "repository");

  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByLabel("Commit").fill("HEAD");
  await preview.getByRole("button", { name: "Preview" }).press("Enter");
  await preview
    .getByRole("alert")
    .getByText(/full id of a commit/)
    .waitFor();
  await preview.getByLabel("Commit").fill(commit);
  await preview.getByRole("button", { name: "Preview" }).press("Enter");
  await preview.getByRole("row", { name: /one.*already run/ }).waitFor();
  expect(reports).toEqual([]);
});

it("uploads the source of a workspace", async () => {
  const { api } = scene.server;
  await scene.createWorkspace("packed", { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/w/packed");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const region = page.getByRole("region", { name: "Source and triggers" });
  await region.getByRole("button", { name: "Change the source" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Source of packed" });
  await changing.getByLabel("Configuration").selectOption("An archive that you upload");
  const choose = (buffer: Buffer) =>
    changing.getByLabel("Archive").setInputFiles({ name: "a.tgz", mimeType: "application/gzip", buffer });
  await choose(Buffer.from("no archive"));
  await changing.getByRole("button", { name: "Change the source" }).press("Enter");
  await changing.locator('input[name="uploadId"][aria-invalid=true]').waitFor();
  await choose(await packed([{ name: "main.tf", body: MAIN }]));
  await changing.getByRole("button", { name: "Change the source" }).press("Enter");
  await region.getByText("Upload", { exact: true }).waitFor();
  expect(reports.filter((report) => !report.includes("status of 400"))).toEqual([]);
});

it("links the commit of a run to its page at the git host", async () => {
  const { api } = scene.server;
  const commit = new TestRepository(join(gitRoot, "acme", "net.git")).commit({ "main.tf": MAIN });
  const { gitHost } = await createHost(api, { kind: "GITEA", url: gitServer.url, token: "password" });
  const { id: repositoryId } = await createRepository(api, gitHost.id, "acme/net");
  const workspaceId = await scene.createWorkspace("linked", { "main.tf": MAIN });
  const head = (runNumber: number) => page.getByRole("heading", { name: `linked #${runNumber}` }).locator("..");
  await createRun(api, workspaceId);
  await using opened = await scene.open("/o/default/w/linked/runs/1");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await head(1)
    .getByText(/ago · [0-9a-f]{12}$/)
    .waitFor();
  expect(await head(1).locator("a[href^=http]").count()).toBe(0);
  await must(api, "updateWorkspace", { workspaceId, source: { git: { repositoryId } } }, "workspace { id }");
  await createRun(api, workspaceId);
  await page.goto(`${scene.site}/o/default/w/linked/runs/2`);
  const link = head(2).getByRole("link", { name: commit.slice(0, 12) });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe(`${gitServer.url}/acme/net/commit/${commit}`);
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(await page.content()).not.toContain("password@");
  expect(reports).toEqual([]);
});
