/** The pages of webhooks, people and the own account, with a real receiver and with rights that are used. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { must } from "../../support/people-steps.ts";
import { startWebhookTarget, status, type WebhookTarget } from "../../support/webhook-target.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { checkViews } from "./views.ts";

let target: WebhookTarget;
let scene: ConsoleScene;
beforeAll(async () => {
  target = await startWebhookTarget();
  scene = await openConsoleScene({ env: { HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${target.port}` } });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

it("creates a webhook, tests it, sends a delivery again, and switches it off", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/webhooks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("There is no webhook yet.").waitFor();
  await page.getByRole("button", { name: "New webhook" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New webhook" });
  await creating.getByLabel("Address").fill("http://127.0.0.1:1/internal");
  await page.keyboard.press("Enter");
  await creating.locator("input[aria-invalid=true]").waitFor();
  await checkViews(page, "webhook-refused");
  await creating.getByLabel("Address").fill(`${target.url}/holdpoint`);
  await creating.getByLabel("Purpose").fill("chat \u202eroom");
  await creating.getByRole("button", { name: "Create the webhook" }).press("Enter");
  const secret = (await creating.getByLabel("The secret that signs messages", { exact: true }).textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await closeDialog(page);
  expect(await page.content()).not.toContain(secret);
  const row = page.getByRole("row", { name: /holdpoint/ });
  await row.getByText("nothing sent yet").waitFor();
  await row.getByText("chat \\u202eroom").waitFor();
  await checkViews(page, "webhooks");

  // The target refuses at first; a person sends the message again.
  target.answer(status(410, "moved away"), status(200));
  await row.getByRole("link").press("Enter");
  await page.getByRole("button", { name: "Send a test" }).press("Enter");
  const first = await target.next();
  await page.getByText(/answered 410 Gone/).waitFor();
  await page.getByRole("button", { name: "Switch on" }).press("Enter");
  await page.getByRole("button", { name: "Switch off" }).waitFor();
  const delivery = page.locator("details[data-delivery]");
  await delivery.locator("summary").press("Enter");
  await delivery.getByRole("cell", { name: "moved away" }).waitFor();
  await delivery.getByRole("button", { name: "Send again" }).press("Enter");
  const second = await target.next();
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  await delivery.locator("summary").getByText("delivered").waitFor();
  await delivery.getByRole("cell", { name: "HTTP 200" }).waitFor();
  await checkViews(page, "webhook");

  // Another person chooses the events meanwhile, and they stay.
  await page.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: /^Change the webhook/ });
  await changing.getByLabel("Purpose").fill("pager");
  const read = async () =>
    (await api.ask(`{ organization(slug: "default") { webhooks { id events description } } }`)).organization.webhooks;
  const [{ id }] = await read();
  await must(api, "updateWebhook", { webhookId: id, events: ["RUN_ENDED"] }, "webhook { id }");
  await changing.getByRole("button", { name: "Change the webhook" }).press("Enter");
  await changing.waitFor({ state: "detached" });
  expect(await read()).toEqual([{ id, events: ["RUN_ENDED"], description: "pager" }]);

  await page.getByRole("button", { name: "Rotate the secret" }).press("Enter");
  const rotating = page.getByRole("dialog", { name: /^Rotate the secret of/ });
  await rotating.getByRole("button", { name: "Rotate the secret" }).press("Enter");
  const rotated = (await rotating.getByLabel("The new secret", { exact: true }).textContent()) ?? "";
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  await closeDialog(page);
  await page.getByRole("button", { name: "Switch off" }).press("Enter");
  const asking = page.getByRole("dialog", { name: /^Switch off the webhook http.*holdpoint$/ });
  await asking.getByRole("button", { name: "Switch off" }).press("Enter");
  await page.getByRole("button", { name: "Switch on" }).waitFor();
  expect(await page.getByRole("button", { name: "Send a test" }).isDisabled()).toBe(true);
  expect(reports).toEqual([]);
});

it("creates a token that works, rotates it, revokes it, and ends a session", async () => {
  const { api } = scene.server;
  await using other = await scene.open("/me");
  await signIn(other.page, api.token);
  await using opened = await scene.open("/me");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const tokens = page.getByRole("region", { name: "Tokens" });
  await tokens.getByRole("button", { name: "New token" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New token of admin" });
  await creating.getByLabel("Name").fill("laptop");
  await creating.getByLabel("Networks").fill("10.0.0.0/8, nonsense");
  await page.keyboard.press("Enter");
  await creating.locator("input[aria-invalid=true]").waitFor();
  await creating.getByLabel("Networks").fill("127.0.0.0/8 ::1/128");
  await checkViews(page, "token-new");
  await creating.getByRole("button", { name: "Create the token" }).press("Enter");
  const secret = (await creating.getByLabel("The token", { exact: true }).textContent()) ?? "";
  await opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await creating.getByRole("button", { name: "Copy it" }).press("Enter");
  await creating.getByText("copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await checkViews(page, "token-secret");
  await closeDialog(page);
  const row = tokens.getByRole("row", { name: /laptop/ });
  await row.getByText("never used").waitFor();
  expect((await api.as(secret).ask("{ viewer { actor { name } } }")).viewer.actor.name).toBe("admin");
  await checkViews(page, "account");

  await row.getByRole("button", { name: "Rotate" }).press("Enter");
  const rotating = page.getByRole("dialog", { name: "Rotate the token laptop" });
  await rotating.getByLabel("The former secret is good for").selectOption("no longer");
  await rotating.getByRole("button", { name: "Rotate the token" }).press("Enter");
  const rotated = (await rotating.getByLabel("The new secret of the token", { exact: true }).textContent()) ?? "";
  await closeDialog(page);
  expect((await api.as(secret).send("{ viewer { role } }")).status).toBe(401);
  expect((await api.as(rotated).send("{ viewer { role } }")).status).toBe(200);

  await row.getByRole("button", { name: "Revoke" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Revoke the token laptop" });
  await asking.getByRole("button", { name: "Revoke" }).press("Enter");
  await row.waitFor({ state: "detached" });
  expect((await api.as(rotated).send("{ viewer { role } }")).status).toBe(401);

  const sessions = page.getByRole("table", { name: "Sessions" });
  await sessions.getByText("this one").waitFor();
  const others = sessions.getByRole("row").filter({ hasText: "Chrome", hasNotText: "this one" });
  expect(await others.count()).toBe(2);
  await others.first().getByRole("button", { name: "End" }).press("Enter");
  await page
    .getByRole("dialog", { name: /^End the session of Chrome/ })
    .getByRole("button", { name: "End" })
    .press("Enter");
  await others.nth(1).waitFor({ state: "detached" });
  await other.page.reload();
  await other.page.waitForURL("**/login?return=%2Fme");
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href);
  expect(kept).not.toMatch(/hp[a-z]_/);
  expect(await page.content()).not.toContain(rotated);
  expect(reports).toEqual([]);
});

it("gives a machine a role by a team, takes it, and invites a person", async () => {
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const { actor } = await must(
    api,
    "createServiceAccount",
    { organizationId: organization.id, name: "robot \u202e7" },
    "actor { id }",
  );
  const { secret } = await must(api, "createToken", { ownerId: actor.id, name: "robot" }, "secret");
  const robot = api.as(secret);
  const sees = async (): Promise<boolean> =>
    (await robot.ask(`{ organization(slug: "default") { id } }`)).organization !== null;
  expect(await sees()).toBe(false);

  await using opened = await scene.open("/o/default/people");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("region", { name: "Members" }).getByText("robot \\u202e7").waitFor();
  const teams = page.getByRole("region", { name: "Teams" });
  await teams.getByRole("button", { name: "New team" }).press("Enter");
  const newTeam = page.getByRole("dialog", { name: "New team" });
  await newTeam.getByLabel("Name").fill("infra");
  await page.keyboard.press("Enter");
  await teams.getByRole("button", { name: "Add to infra" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "Add a member to infra" });
  await adding.getByLabel("Member of the organization").selectOption("robot \\u202e7");
  await adding.getByRole("button", { name: "Add" }).press("Enter");
  await teams.getByRole("table", { name: "Members of infra" }).getByText("robot \\u202e7").waitFor();

  const grants = page.getByRole("region", { name: "Grants" });
  await grants.getByRole("button", { name: "Give a role" }).press("Enter");
  const giving = page.getByRole("dialog", { name: "Give a role in Default" });
  await giving.getByLabel("For").selectOption("team infra");
  await giving.getByLabel("Role").selectOption("READER");
  await giving.getByLabel("Reason").fill("reads reports");
  await checkViews(page, "grant-new");
  await giving.getByRole("button", { name: "Give the role" }).press("Enter");
  const row = grants.getByRole("row", { name: /team infra/ });
  await row.getByText("reads reports").waitFor();
  expect(await sees()).toBe(true);

  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByRole("button", { name: "Invite a person" }).press("Enter");
  const inviting = page.getByRole("dialog", { name: "Invite a person to Default" });
  await inviting.getByLabel("Name").fill("Ada");
  await inviting.getByLabel("E-mail address").fill("ada@example.com");
  await inviting.getByRole("button", { name: "Invite" }).press("Enter");
  const link = (await inviting.getByLabel("The link for the person", { exact: true }).textContent()) ?? "";
  expect(new URL(link).origin).toBe(scene.site);
  await closeDialog(page);
  await invitations.getByRole("row", { name: /Ada/ }).waitFor();
  await checkViews(page, "people");

  await row.getByRole("button", { name: "Take" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Take READER from team infra" });
  await asking.getByRole("button", { name: "Take" }).press("Enter");
  await row.waitFor({ state: "detached" });
  expect(await sees()).toBe(false);
  expect(await page.content()).not.toContain(link);
  expect(reports).toEqual([]);
});

it("keeps a tree of projects, and makes a service account with a token that works and a trust rule", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/people");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const projects = page.getByRole("region", { name: "Projects" });
  const create = async (name: string, place: string, isIsolated = false): Promise<void> => {
    await projects.getByRole("button", { name: "New project" }).press("Enter");
    const creating = page.getByRole("dialog", { name: "New project" });
    await creating.getByLabel("Name").fill(name);
    await creating.getByLabel("Place").selectOption(place);
    if (isIsolated) await creating.getByLabel("Grants from above").check();
    await creating.getByRole("button", { name: "Create the project" }).press("Enter");
    await creating.waitFor({ state: "detached" });
  };
  await create("platform", "directly below Default");
  await projects.getByRole("row", { name: /^platform/ }).waitFor();
  await create("web", "platform");
  const web = projects.getByRole("row", { name: /^web/ });
  await create("secrets \u202e", "platform", true);
  const secrets = projects.getByRole("row", { name: /^secrets \\u202e isolated/ });
  await secrets.waitFor();

  const accounts = page.getByRole("region", { name: "Service accounts" });
  await accounts.getByRole("button", { name: "New service account" }).press("Enter");
  const making = page.getByRole("dialog", { name: "New service account" });
  await making.getByLabel("Name").fill("pipeline");
  await page.keyboard.press("Enter");
  const account = accounts.getByRole("region", { name: "Service account pipeline" });
  await account.getByText("without a token").waitFor();
  await account.getByRole("button", { name: "New token of pipeline" }).press("Enter");
  const giving = page.getByRole("dialog", { name: "New token of pipeline" });
  await giving.getByLabel("Name").fill("ci");
  await giving.getByRole("button", { name: "Create the token" }).press("Enter");
  const secret = (await giving.getByLabel("The token", { exact: true }).textContent()) ?? "";
  await closeDialog(page);
  expect((await api.as(secret).ask("{ viewer { actor { name } } }")).viewer.actor.name).toBe("pipeline");
  const token = account.getByRole("row", { name: /ci/ });
  await token.getByRole("button", { name: "Revoke" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).press("Enter");
  await token.waitFor({ state: "detached" });
  expect((await api.as(secret).send("{ viewer { role } }")).status).toBe(401);

  await account.getByRole("button", { name: "New trust rule of pipeline" }).press("Enter");
  const trusting = page.getByRole("dialog", { name: "New trust rule of pipeline" });
  expect(await trusting.getByLabel("Audience").inputValue()).toBe(scene.site);
  await trusting.getByLabel("Issuer").fill("https://token.actions.githubusercontent.com");
  await trusting.getByLabel("Subject").fill("*");
  await trusting.getByLabel("Further claims").fill("environment");
  await trusting.getByRole("button", { name: "Create the trust rule" }).press("Enter");
  await trusting.locator('textarea[name="claims"][aria-invalid=true]').waitFor();
  await trusting.getByLabel("Further claims").fill("environment=prod\nref=refs/heads/*");
  await trusting.getByRole("button", { name: "Create the trust rule" }).press("Enter");
  // All of GitHub would be trusted.
  await trusting.locator('input[name="subject"][aria-invalid=true]').waitFor();
  await checkViews(page, "trust-rule-new");
  await trusting.getByLabel("Subject").fill("repo:acme/web:*");
  await trusting.getByLabel("Seconds").fill("900");
  await trusting.getByRole("button", { name: "Create the trust rule" }).press("Enter");
  const rule = account.getByRole("table", { name: "Trust rules of pipeline" }).getByRole("row", { name: /acme\/web/ });
  await rule.getByText("ref=refs/heads/*").waitFor();
  const rules = async () =>
    (
      await api.ask(`{ organization(slug: "default") { serviceAccounts { name ... on MachineUser { trustRules {
        subject maxSeconds claims { name value } } } } } }`)
    ).organization.serviceAccounts.find(({ name }: { name: string }) => name === "pipeline").trustRules;
  // The API keeps no order of claims.
  const claims = expect.toSatisfy(
    (given: { name: string; value: string }[]) =>
      given
        .map(({ name, value }) => `${name}=${value}`)
        .toSorted()
        .join(" ") === "environment=prod ref=refs/heads/*",
  );
  expect(await rules()).toEqual([{ subject: "repo:acme/web:*", maxSeconds: 900, claims }]);

  const { organization } = await api.ask(
    `{ organization(slug: "default") { projects { id name } serviceAccounts { id name } } }`,
  );
  const idOf = (list: { id: string; name: string }[], name: string) => list.find((one) => one.name === name)?.id;
  const grant = { principalId: idOf(organization.serviceAccounts, "pipeline"), roleId: builtInRoleId("READER") };
  const scopeId = idOf(organization.projects, "web");
  await must(api, "createGrant", { ...grant, scopeId }, "grant { id }");
  await page.reload();
  await untilLive(page);
  await web.getByText("pipeline: READER").waitFor();
  // Grants from above do not reach into an isolated project, those of administrators either.
  await secrets.getByText("not shown to you").waitFor();
  expect(await secrets.getByRole("button").count()).toBe(0);
  await projects.scrollIntoViewIfNeeded();
  await checkViews(page, "projects");
  await rule.getByRole("button", { name: "Delete" }).press("Enter");
  const ending = page.getByRole("dialog", { name: "Delete the trust rule of pipeline for repo:acme/web:*" });
  await ending.getByRole("button", { name: "Delete" }).press("Enter");
  await rule.waitFor({ state: "detached" });
  expect(await rules()).toEqual([]);
  await web.getByRole("button", { name: "Move" }).press("Enter");
  const moving = page.getByRole("dialog", { name: "Move the project platform/web" });
  await moving.getByLabel("Place").selectOption("directly below Default");
  await moving.getByRole("button", { name: "Move the project" }).press("Enter");
  await moving.waitFor({ state: "detached" });
  await web.locator('[data-depth="0"]').waitFor();
  await web.getByRole("button", { name: "Delete" }).click();
  const asking = page.getByRole("dialog", { name: "Delete the project web" });
  await asking.getByRole("button", { name: "Delete" }).press("Enter");
  await web.waitFor({ state: "detached" });
  expect(reports).toEqual([]);
});

it("shows signs without a form in the names of an organization and of the account", async () => {
  const { api } = scene.server;
  const named = { slug: "acme", name: "Acme \u202edtl" };
  const { organization } = await must(api, "createOrganization", named, "organization { id }");
  const account = { organizationId: organization.id, name: "clerk \u202e7" };
  const { actor } = await must(api, "createServiceAccount", account, "actor { id }");
  const { secret } = await must(api, "createToken", { ownerId: actor.id, name: "clerk" }, "secret");
  const grant = { principalId: actor.id, roleId: builtInRoleId("READER"), scopeId: organization.id };
  await must(api, "createGrant", grant, "grant { id }");
  await using opened = await scene.open("/o/acme/workspaces");
  const { page, reports } = opened;
  await signIn(page, secret);
  const header = page.getByRole("banner");
  await header.getByRole("link", { name: "clerk \\u202e7" }).waitFor();
  await header.getByRole("link", { name: "Acme \\u202edtl" }).waitFor();
  for (const title of ["Workspaces", "Runs", "Changesets"]) {
    await page.getByRole("navigation", { name: "Organization" }).getByRole("link", { name: title }).press("Enter");
    await page.getByRole("heading", { name: `${title} of Acme \\u202edtl` }).waitFor();
    expect(await page.title()).toBe(`${title} - Acme \\u202edtl - Holdpoint`);
  }
  expect(reports).toEqual([]);
});
