/** A server that ends its own administrator's token: real processes, on one database. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { createApi } from "../support/api.ts";
import { CookieBrowser } from "../support/cookie-browser.ts";
import { createTestDatabase } from "../support/database.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type ServerProcess,
  startServerProcess,
} from "../support/server-process.ts";

const WHO = "{ viewer { isAdmin credential } }";

it("HOLDPOINT_ADMIN_TOKEN=off is refused until a person administers, ends the token, and is taken back", async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using stack = new AsyncDisposableStack();
  const [folder, dataDir] = [await mkdtemp(join(tmpdir(), "holdpoint-settings-")), await makeDataDir()];
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  stack.defer(() => removeDataDir(dataDir));
  const database = stack.use(await createTestDatabase());
  const provider = stack.use(await startIdentityProvider(origin, (url) => url));
  const secretFile = join(folder, "client-secret");
  await writeFile(secretFile, provider.clientSecret);
  const start = (adminToken: string): Promise<ServerProcess> =>
    startServerProcess({
      port,
      dataDir,
      env: {
        DATABASE_URL: database.url,
        HOLDPOINT_ADMIN_TOKEN: adminToken,
        HOLDPOINT_PUBLIC_URL: origin,
        HOLDPOINT_OIDC_ISSUER: provider.issuer,
        HOLDPOINT_OIDC_CLIENT_ID: provider.clientId,
        HOLDPOINT_OIDC_CLIENT_SECRET_FILE: secretFile,
      },
    });
  const [first, second] = ["a".repeat(32), "b".repeat(32)];

  await expect(start("off")).rejects.toThrow("HOLDPOINT_ADMIN_TOKEN is off, but no other administrator can sign in.");

  const browser = new CookieBrowser();
  const ask = async (query: string): Promise<unknown> => {
    const headers = { "content-type": "application/json", accept: "application/json", origin };
    const body = JSON.stringify({ query });
    return JSON.parse((await browser.open(`${origin}/graphql`, { method: "POST", headers, body })).text);
  };
  const withToken = await start(first);
  provider.people.set("ann", { name: "Ann" });
  await browser.submit(await browser.open(`${origin}/auth/oidc`), { login: "ann", password: "any" });
  expect(await ask(WHO)).toEqual({ data: { viewer: { isAdmin: false, credential: "SESSION" } } });
  const { actors } = await withToken.api.ask("{ actors(first: 10) { edges { node { actor { id name } } } } }");
  const { id } = actors.edges
    .map(({ node }: { node: { actor: { id: string; name: string } } }) => node.actor)
    .find(({ name }: { name: string }) => name === "Ann");
  const input = { principalId: id, roleId: builtInRoleId("ADMIN"), scopeId: null };
  const grant = "mutation ($input: CreateGrantInput!) { createGrant(input: $input) { __typename } }";
  expect((await withToken.api.ask(grant, { input })).createGrant.__typename).toBe("CreateGrantSuccess");
  expect(await withToken.stop()).toBe(0);

  const without = await start("off");
  expect((await createApi(origin, first).send(WHO)).status).toBe(401);
  expect((await createApi(origin, "off").send(WHO)).status).toBe(401);
  expect(await ask(WHO)).toEqual({ data: { viewer: { isAdmin: true, credential: "SESSION" } } });
  expect(without.output()).toMatch(/Admin token +none/);
  expect(without.output()).not.toContain(first);
  expect(await without.stop()).toBe(0);

  const again = stack.use(await start(second));
  expect((await createApi(origin, first).send(WHO)).status).toBe(401);
  expect(await again.api.ask(WHO)).toEqual({ viewer: { isAdmin: true, credential: "TOKEN" } });
});
