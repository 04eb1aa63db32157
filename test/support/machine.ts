/** A machine user with grants of built-in roles, and a token of it. */
import { randomUUID } from "node:crypto";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../src/model/people/role.ts";
import { type Api, createApi } from "./api.ts";

export interface Machine extends Api {
  id: string;
  /** Grants a role at a place; gives the id of the grant. */
  grant(role: BuiltInRole, scopeId: string): Promise<string>;
}

export async function addMachine(url: string, admin: Api, ...grants: [BuiltInRole, string][]): Promise<Machine> {
  const account = `mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) {
    ... on CreateServiceAccountSuccess { actor { id } } ... on UserError { message } } }`;
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, name: `m-${randomUUID()}` };
  const { id } = (await admin.ask(account, { input })).createServiceAccount.actor;
  const grant = async (role: BuiltInRole, scopeId: string): Promise<string> => {
    const document = `mutation ($input: CreateGrantInput!) { createGrant(input: $input) {
      ... on CreateGrantSuccess { grant { id } } ... on UserError { message } } }`;
    const given = { principalId: id, roleId: builtInRoleId(role), scopeId };
    return (await admin.ask(document, { input: given })).createGrant.grant.id;
  };
  for (const [role, scopeId] of grants) await grant(role, scopeId);
  const token = `mutation ($input: CreateTokenInput!) { createToken(input: $input) {
    ... on CreateTokenSuccess { secret } ... on UserError { message } } }`;
  const { secret } = (await admin.ask(token, { input: { name: `t-${randomUUID()}`, ownerId: id } })).createToken;
  return { ...createApi(url, secret), id, grant };
}
