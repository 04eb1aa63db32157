/** The settings with which the first person of an identity provider administers a server: five, and no other step. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CookieBrowser } from "../support/cookie-browser.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { freePort, startServerProcess } from "../support/server-process.ts";

it("takes five settings, with which a person of the group administers at once", async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-settings-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // As most providers do, it sends groups with the profile.
  const claims = { openid: ["sub"], profile: ["name", "groups"], email: ["email", "email_verified"] };
  const provider = stack.use(await startIdentityProvider(origin, (url) => url, { claims }));
  const secretFile = join(folder, "client-secret");
  await writeFile(secretFile, `${provider.clientSecret}\n`);
  const settings = {
    HOLDPOINT_PUBLIC_URL: origin,
    HOLDPOINT_OIDC_ISSUER: provider.issuer,
    HOLDPOINT_OIDC_CLIENT_ID: provider.clientId,
    HOLDPOINT_OIDC_CLIENT_SECRET_FILE: secretFile,
    HOLDPOINT_OIDC_ADMIN_GROUP: "platform",
  };
  expect(Object.keys(settings)).toHaveLength(5);
  const server = stack.use(await startServerProcess({ port, env: settings }));

  provider.people.set("ann", { name: "Ann", email: "ann@example.com", groups: ["platform"] });
  const browser = new CookieBrowser();
  const login = await browser.open(`${origin}/auth/login`);
  const way = /href="(\/auth\/oidc[^"]*)"/.exec(login.text)?.[1] ?? expect.fail("The page names no provider.");
  const asked = await browser.open(origin + way.replaceAll("&amp;", "&"));
  const back = await browser.submit(asked, { login: "ann", password: "any" });
  expect(back).toMatchObject({ status: 200, url: `${origin}/graphql` });

  const ask = async (query: string) => {
    const headers = { "content-type": "application/json", accept: "application/json", origin };
    const answer = await browser.open(`${origin}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query }),
    });
    return JSON.parse(answer.text).data;
  };
  expect((await ask("{ viewer { isAdmin credential actor { name } } }")).viewer).toEqual({
    isAdmin: true,
    credential: "SESSION",
    actor: { name: "Ann" },
  });
  const made = await ask('mutation { createOrganization(input: { slug: "acme", name: "Acme" }) { __typename } }');
  expect(made.createOrganization.__typename).toBe("CreateOrganizationSuccess");
  // A person of no group comes in, and sees nothing.
  provider.people.set("ben", { name: "Ben" });
  const second = new CookieBrowser();
  await second.submit(await second.open(`${origin}/auth/oidc`), { login: "ben", password: "any" });
  const { text } = await second.open(`${origin}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", origin },
    body: JSON.stringify({ query: "{ viewer { isAdmin } organizations(first: 5) { edges { node { id } } } }" }),
  });
  expect(JSON.parse(text).data).toEqual({ viewer: { isAdmin: false }, organizations: { edges: [] } });
  for (const secret of [provider.clientSecret, browser.cookie(origin, "holdpoint") ?? "none"]) {
    expect(server.output()).not.toContain(secret);
  }
});
