/** A server whose statements are noted, with callers of all kinds. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { type BuiltInRole, builtInRoleId } from "../../src/model/people/role.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { createTestDatabase } from "../support/database.ts";
import { createStatementLog } from "../support/statement-log.ts";

/** One question, with what must come of it. */
export interface Probe {
  name: string;
  /** Returns how the answer differs from what the oracle says; `null` if it does not. */
  run: () => Promise<string | null>;
}

export interface WalkScene extends AsyncDisposable {
  readonly scene: Scene;
  readonly organizationId: string;
  /** Sends a mutation; gives the member of the union. */
  send(api: Api, name: string, input: object, fields?: string): Promise<Data>;
  /** Sends a mutation as the administrator, which must succeed. */
  make: (name: string, input: object, fields: string) => Promise<Data>;
  createAccount(home?: string): Promise<string>;
  grant: (principalId: string, role: BuiltInRole, scopeId: string | null, more?: object) => Promise<string>;
  tokenOf(ownerId: string, more?: object): Promise<Api>;
  /** A machine user with a role at a place. */
  machine(role?: BuiltInRole, scopeId?: string | null, home?: string): Promise<Api>;
  /** A caller with these permissions everywhere, and no others. */
  having(permissions: readonly Permission[]): Promise<Api>;
  /** The statements that are sent meanwhile. */
  traceOf(work: () => Promise<unknown>): Promise<string[]>;
}

const typeOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export async function openWalkScene(): Promise<WalkScene> {
  const log = createStatementLog();
  const testDatabase = await createTestDatabase();
  const connection = { ...testDatabase.connection, Client: log.Client } as PostgresConnection;
  const existing = { testDatabase: { ...testDatabase, connection }, masterKey: randomBytes(32) };
  // The clock stands: what is done once a minute is done before.
  const scene = await openScene(1000, { standing: true, existing });
  const { url } = scene.server;
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const known = new Map<string, Promise<Api>>();
  let everything: ReturnType<Scene["login"]> | undefined;
  const walk: WalkScene = {
    scene,
    organizationId,
    async send(api, name, input, fields = "__typename") {
      const document = `mutation ($input: ${typeOf(name)}Input!) { ${name}(input: $input) { __typename
        ... on ${typeOf(name)}Success { ${fields} } ... on UserError { code message }
        ... on ForbiddenError { permission } } }`;
      return (await api.ask(document, { input }))[name];
    },
    async make(name, input, fields) {
      const document = `mutation ($input: ${typeOf(name)}Input!) { ${name}(input: $input) {
        ... on ${typeOf(name)}Success { ${fields} } ... on UserError { code message } } }`;
      const made = (await scene.api.ask(document, { input }))[name];
      if (made.code !== undefined) throw new Error(`${name}: ${made.message}`);
      return made;
    },
    async createAccount(home = organizationId) {
      return (await walk.make("createServiceAccount", { organizationId: home, name: "m" }, "actor { id }")).actor.id;
    },
    async grant(principalId, role, scopeId, more = {}) {
      const input = { principalId, roleId: builtInRoleId(role), scopeId, ...more };
      return (await walk.make("createGrant", input, "grant { id }")).grant.id;
    },
    async tokenOf(ownerId, more = {}) {
      const input = { name: randomUUID(), ownerId, ...more };
      const api = createApi(url, (await walk.make("createToken", input, "secret")).secret);
      // Its use is noted now, and not while something is compared.
      await api.send("{ viewer { role } }");
      return api;
    },
    async machine(role, scopeId = organizationId, home = organizationId) {
      const id = await walk.createAccount(home);
      if (role !== undefined) await walk.grant(id, role, scopeId);
      return walk.tokenOf(id);
    },
    having(permissions) {
      const key = permissions.toSorted().join();
      const made = async (): Promise<Api> => {
        everything ??= scene.login("ADMIN");
        const owner = await everything;
        const input = { name: randomUUID(), ownerId: owner.actorId, permissions: [...new Set(permissions)] };
        const api = createApi(url, (await walk.send(owner, "createToken", input, "secret")).secret);
        await api.send("{ viewer { role } }");
        return api;
      };
      const found = known.get(key) ?? made();
      known.set(key, found);
      return found;
    },
    async traceOf(work) {
      log.take();
      await work();
      return log.take();
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
  return walk;
}

/** The id of something of that kind that does not exist. */
export const absentOf = (id: string): string => `${id.slice(0, id.lastIndexOf("_"))}_0000000000000000000000zzzz`;

const ID = /\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** A value in which every id is one of something that does not exist. */
export function withAbsentIds<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(ID, (id) => absentOf(id)));
}

/** A text in which all ids are alike. */
export const withoutIds = (text: string): string => text.replaceAll(ID, "$1_ID").replaceAll(UUID, "UUID");
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
