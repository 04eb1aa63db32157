/** People who sign in without a browser, by an identity provider that is not there, or by a passkey in software. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createPasskeys } from "../../src/domain/sign-in/passkeys.ts";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { builtInRoleId, type BuiltInRole } from "../../src/model/people/role.ts";
import type { Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "./api.ts";
import { send as sendHttp } from "./send.ts";
import { SoftPasskey } from "./soft-passkey.ts";

/** The address of the pages. */
export const SITE = "http://holdpoint.localhost";
const BROWSER = { address: null, userAgent: null, formerSecret: null };

export type Person = Api & { id: string; secret: string };

/** Sends a mutation, which must succeed. */
export async function must(by: Api, name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const answer = (await by.ask(document, { input }))[name];
  expect(answer.code, answer.message).toBeUndefined();
  return answer;
}

/** An API whose operations come from a page of the site, with the session of a person. */
function bySession({ server: { url } }: Scene, secret: string, id: string): Person {
  const api = createApi(url, "");
  const send: Api["send"] = async (query, variables = {}) => {
    const answer = await sendHttp(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: SITE, cookie: `holdpoint=${secret}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors }: Data = JSON.parse(answer.text);
    return { status: answer.status, data, errors };
  };
  const ask = async (query: unknown, variables?: Record<string, unknown>): Promise<Data> => {
    const { data, errors } = await send(String(query), variables);
    expect(errors).toBeUndefined();
    return data;
  };
  return { ...api, send, ask, id, secret };
}

/** A person whom a provider has identified, with a role on the installation. */
export async function signedIn(on: Scene, name: string, role: BuiltInRole | null, presentMs = 0): Promise<Person> {
  const { deps } = on.server;
  const profile = { issuer: "https://login.example.com", subject: name, name, email: null, groups: [] };
  const signIn = { profile, state: randomUUID(), providerSession: null, adminGroup: null };
  const presentAt = new Date(deps.clock().getTime() - presentMs).toISOString();
  const { actor, secret } = await createSignIns(deps).byProvider({ ...signIn, presentAt }, BROWSER);
  const held = await on.rows("select id from access_grant where principal_id = $1", actor.id);
  if (role !== null && held.length === 0) await granted(on, actor.id, role);
  return bySession(on, secret, actor.id);
}

async function granted(on: Scene, principalId: string, role: BuiltInRole): Promise<void> {
  const input = { principalId, roleId: builtInRoleId(role), scopeId: null };
  await must(on.api, "createGrant", input, "grant { id }");
}

/** A person who accepted an invitation of an administrator, with a role in the organization. */
export async function invited(on: Scene, by: Api, role: BuiltInRole = "APPROVER"): Promise<Person> {
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const input = { organizationId, name: "Second" };
  const { url, invitation } = await must(by, "inviteMember", input, "url invitation { actor { id } }");
  const passkeys = createPasskeys(on.server.deps, SITE);
  const registrant = { code: new URL(url).hash.slice(1) };
  const { challenge } = await passkeys.beginRegistration(registrant);
  const credential = new SoftPasskey(SITE).create(challenge);
  const opened = await passkeys.finishRegistration(registrant, { challenge, credential }, BROWSER);
  const { id } = invitation.actor;
  const grant = { principalId: id, roleId: builtInRoleId(role), scopeId: organizationId };
  await must(by, "createGrant", grant, "grant { id }");
  return bySession(on, opened?.secret ?? "", id);
}
