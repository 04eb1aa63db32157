/** Readers of streams with grants of their own, over real sockets. */
import { createHash, randomUUID } from "node:crypto";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../src/model/people/role.ts";
import type { Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "./api.ts";

/** A machine user with one token and these grants. */
export interface Person {
  api: Api;
  actorId: string;
  tokenId: string;
}

/** A role at a workspace, a project or an organization. */
export type GivenRole = readonly [role: BuiltInRole, scopeId: string];

/** Makes a machine user by SQL: some hundred commands would take most of the time of a test. */
export async function addPerson(scene: Scene, organizationId: string, given: readonly GivenRole[]): Promise<Person> {
  const { newId, clock } = scene.server.deps;
  const [actorId, tokenId, secret] = [newId("machineUser"), newId("token"), randomUUID()];
  const at = clock().toISOString();
  await scene.rows("insert into actor (id, kind, name, created_at) values ($1, 'MACHINE', $1, $2)", actorId, at);
  const hash = createHash("sha256").update(secret).digest();
  await scene.rows(
    "insert into token (id, name, actor_id, secret_hash, created_at) values ($1, $1, $2, $3, $4)",
    tokenId,
    actorId,
    hash,
    at,
  );
  for (const [role, scopeId] of given) {
    await scene.rows(
      `insert into access_grant (id, organization_id, principal_id, role_id, scope_id, granted_by, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      newId("grant"),
      organizationId,
      actorId,
      builtInRoleId(role),
      scopeId,
      SYSTEM_ACTOR_ID,
      at,
    );
  }
  return { api: createApi(scene.server.url, secret), actorId, tokenId };
}

/** A subscription on a socket of its own, which does not connect again. */
export interface Watcher {
  readonly items: Data[];
  readonly errors: Data[];
  /** The code by which its socket was closed; `null` while it is open. */
  readonly code: number | null;
  readonly isOver: boolean;
  stop(): Promise<void>;
}

export function watch(api: Api, query: string, variables: Record<string, unknown>): Watcher {
  const state = { items: [] as Data[], errors: [] as Data[], code: null as number | null, isOver: false };
  const client = createClient({
    url: `${api.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${api.token}` },
    retryAttempts: 0,
    on: {
      closed: (event) => {
        state.code = (event as { code: number }).code;
      },
    },
  });
  const end = client.subscribe<Data>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors !== undefined) state.errors.push(...errors);
        else state.items.push(data);
      },
      error: () => (state.isOver = true),
      complete: () => (state.isOver = true),
    },
  );
  return Object.assign(state, {
    stop: async () => {
      end();
      await client.dispose();
    },
  });
}
