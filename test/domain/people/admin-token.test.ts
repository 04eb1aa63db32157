/** The installation's own token, and how it ends once an administrator can sign in. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { installAdminToken, retireAdminToken } from "../../../src/domain/token/authenticate.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

const isIn = async (): Promise<boolean> => (await server.domain.authenticate(server.api.token, () => null)) !== null;
const PROVIDER = { hasProvider: true, hasGroup: false };

it("ends only while an administrator can sign in, and comes back with a token", async () => {
  const { deps } = server;
  const refused = { name: "InstallationError", message: expect.stringContaining("no other administrator can sign in") };
  await expect(retireAdminToken(deps, PROVIDER)).rejects.toMatchObject(refused);

  const profile = { issuer: "https://login.example.com", subject: "ann", name: "Ann", email: null, groups: [] };
  const { actor } = await createSignIns(deps).byProvider(
    { profile, state: "state", providerSession: null, presentAt: null, adminGroup: null },
    { address: null, userAgent: null, formerSecret: null },
  );
  await expect(retireAdminToken(deps, PROVIDER)).rejects.toMatchObject(refused);
  const grant = async (expiresAt: string | null) => {
    const input = { principalId: actor.id, roleId: builtInRoleId("ADMIN"), scopeId: null, expiresAt };
    const { createGrant } = await server.api.ask(
      "mutation($input: CreateGrantInput!) { createGrant(input: $input) { ... on CreateGrantSuccess { grant { id } } } }",
      { input },
    );
    return createGrant.grant.id as string;
  };
  const short = await grant(new Date(Date.now() + 60_000).toISOString());
  await expect(retireAdminToken(deps, PROVIDER)).rejects.toMatchObject(refused);
  await server.api.ask("mutation($id: ID!) { revokeGrant(input: { grantId: $id }) { __typename } }", { id: short });
  await grant(null);
  // No provider is set any more, and the person has no passkey; or no one can sign in at all.
  await expect(retireAdminToken(deps, { ...PROVIDER, hasProvider: false })).rejects.toMatchObject(refused);
  await expect(retireAdminToken({ ...deps, publicUrl: null }, PROVIDER)).rejects.toMatchObject(refused);
  expect(await isIn()).toBe(true);

  await retireAdminToken(deps, PROVIDER);
  expect(await isIn()).toBe(false);
  await retireAdminToken(deps, PROVIDER);
  await installAdminToken(deps, server.api.token);
  expect(await isIn()).toBe(true);
  await retireAdminToken(deps, { hasProvider: true, hasGroup: true });
  expect(await isIn()).toBe(false);
});
