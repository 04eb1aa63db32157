/**
 * Nothing commits under rights that were revoked while the command waited for a lock: two servers on one database,
 * without hints between them. One waits for the lock, the other one revokes.
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { Transaction } from "../../src/persistence/database/database.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { COMMANDS as COMMANDS_OF_DOMAIN } from "../../src/domain/domain.ts";
import { openSession } from "../../src/domain/sign-in/open-session.ts";
import { PERMISSIONS } from "../../src/model/people/permission-set.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import type { InProcess } from "../support/in-process.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const ROUNDS = inject("soaks") ? 200 : 21;
const MINUTE = 60_000;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { hints: false });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported, ...other.reported]).toEqual([]));

const typeOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

async function send(api: Api, name: string, input: object, fields = "__typename"): Promise<Data> {
  const document = `mutation ($input: ${typeOf(name)}Input!) { ${name}(input: $input) { __typename
    ... on ${typeOf(name)}Success { ${fields} } ... on UserError { code message } } }`;
  return (await api.ask(document, { input }))[name];
}

/** Sends a command as the administrator, which must succeed. */
async function make(name: string, input: object, fields = "__typename"): Promise<Data> {
  const made = await send(scene.api, name, input, fields);
  if (made.code !== undefined) throw new Error(`${name}: ${made.message}`);
  return made;
}

const inAMinute = (): string => new Date(scene.server.deps.clock().getTime() + MINUTE).toISOString();

/** A project with a workspace and a run. */
interface Spot {
  projectId: string;
  workspaceId: string;
  name: string;
  runId: string;
}

async function makeSpot(): Promise<Spot> {
  const { project } = await make("createProject", { organizationId, name: randomUUID() }, "project { id }");
  const name = randomUUID();
  const workspaceId = await scene.createWorkspace({ name, projectId: project.id });
  return { projectId: project.id, workspaceId, name, runId: await scene.createRun(workspaceId) };
}

const createAccount = async (): Promise<string> =>
  (await make("createServiceAccount", { organizationId, name: randomUUID() }, "actor { id }")).actor.id;

const createToken = (ownerId: string, more: object = {}) =>
  make("createToken", { name: "t", ownerId, ...more }, "secret token { id }");

async function grantTo(principalId: string, scopeId: string, more: object = {}): Promise<string> {
  const input = { principalId, roleId: builtInRoleId("ADMIN"), scopeId, ...more };
  return (await make("createGrant", input, "grant { id }")).grant.id;
}

/** A caller who may do everything in a workspace. */
interface Held {
  secret: string;
  /** Takes the rights while `tx` holds the lock that the command waits for. */
  revoke: (tx: Transaction) => Promise<unknown>;
}

/** A caller with one grant, and what takes it away. */
async function granted(
  scopeId: string,
  revoke: (ids: { actorId: string; grantId: string; tokenId: string }, tx: Transaction) => Promise<unknown>,
  more: { grant?: object; token?: object } = {},
): Promise<Held> {
  const actorId = await createAccount();
  const grantId = await grantTo(actorId, scopeId, more.grant);
  const { secret, token } = await createToken(actorId, more.token);
  return { secret, revoke: (tx) => revoke({ actorId, grantId, tokenId: token.id }, tx) };
}

const passAMinute = async () => scene.server.advance(MINUTE);

/** Each way in which rights end. */
const REVOCATIONS: Record<string, (spot: Spot) => Promise<Held>> = {
  "the grant is revoked": ({ workspaceId }) => granted(workspaceId, ({ grantId }) => make("revokeGrant", { grantId })),
  "the token is revoked": ({ workspaceId }) => granted(workspaceId, ({ tokenId }) => make("revokeToken", { tokenId })),
  "the owner is disabled": ({ projectId }) =>
    granted(projectId, ({ actorId }) => make("disableUser", { userId: actorId })),
  "the grant ends": ({ workspaceId }) => granted(workspaceId, passAMinute, { grant: { expiresAt: inAMinute() } }),
  "the token ends": ({ workspaceId }) => granted(workspaceId, passAMinute, { token: { expiresAt: inAMinute() } }),
  "the project is isolated": ({ projectId }) =>
    granted(organizationId, () => make("updateProject", { projectId, isolated: true })),
  // The lock that the command waits for is held by the move.
  "the workspace is moved": ({ projectId, workspaceId }) =>
    granted(projectId, async (_ids, tx) => {
      const to = organizationId.replace("org_", "prj_");
      await sql`update workspace set project_id = ${to} where id = ${workspaceId}`.execute(tx.sql);
      await sql`update run set project_id = ${to} where workspace_id = ${workspaceId}`.execute(tx.sql);
    }),
  async "the membership of the team is ended"({ workspaceId }) {
    const teamId = (await make("createTeam", { organizationId, name: randomUUID() }, "team { id }")).team.id;
    await grantTo(teamId, workspaceId);
    const actorId = await createAccount();
    await make("addTeamMember", { teamId, actorId });
    const { secret } = await createToken(actorId);
    return { secret, revoke: () => make("removeTeamMember", { teamId, actorId }) };
  },
  async "the role loses its permissions"({ workspaceId }) {
    const permissions = [...PERMISSIONS];
    const role = (await make("createRole", { organizationId, name: randomUUID(), permissions }, "role { id }")).role;
    const reads = ["WORKSPACE_READ", "RUN_READ"];
    const revoke = () => make("updateRole", { roleId: role.id, permissions: reads });
    return granted(workspaceId, revoke, { grant: { roleId: role.id } });
  },
  "the token is narrowed": ({ workspaceId }) =>
    granted(workspaceId, ({ tokenId }) =>
      scene.rows("update token set permissions = '{RUN_READ}' where id = $1", tokenId),
    ),
};

/** Returns the code of the error; `null` if the command succeeded. */
type Ask = (url: string, secret: string, spot: Spot) => Promise<string | null>;

const mutation =
  (name: string, inputOf: (spot: Spot) => object): Ask =>
  async (url, secret, spot) =>
    (await send(createApi(url, secret), name, inputOf(spot))).code ?? null;

const route =
  (method: string, pathOf: (spot: Spot) => string, body: object, scheme: "Basic" | "Bearer"): Ask =>
  async (url, secret, spot) => {
    const credential = scheme === "Bearer" ? secret : Buffer.from(`x:${secret}`).toString("base64");
    const headers = { authorization: `${scheme} ${credential}`, "content-type": "application/json" };
    const answer = await fetch(`${url}${pathOf(spot)}`, { method, headers, body: JSON.stringify(body) });
    await answer.text();
    return answer.ok ? null : ({ 403: "FORBIDDEN", 404: "NOT_FOUND" }[answer.status] ?? `${answer.status}`);
  };

const LOCK = {
  ID: randomUUID(),
  Operation: "OperationTypeApply",
  Who: "me",
  Info: "",
  Version: "",
  Created: "",
  Path: "",
};
const STATE = { version: 4, terraform_version: "1.9.0", serial: 1, lineage: "a", outputs: {}, resources: [] };

/** Commands that wait for the lock of the workspace. */
const COMMANDS: Record<string, Ask> = {
  setVariable: mutation("setVariable", ({ workspaceId }) => ({ workspaceId, key: "a", value: "b" })),
  commentOnRun: mutation("commentOnRun", ({ runId }) => ({ runId, text: "text" })),
  cancelRun: mutation("cancelRun", ({ runId }) => ({ runId })),
  createRun: mutation("createRun", ({ workspaceId }) => ({ workspaceId, message: "text" })),
  lockWorkspace: mutation("lockWorkspace", ({ workspaceId }) => ({ workspaceId, note: "text" })),
  updateWorkspace: mutation("updateWorkspace", ({ workspaceId }) => ({ workspaceId, description: "text" })),
  "the lock of a state": route("LOCK", ({ name }) => `/state/default/${name}`, LOCK, "Basic"),
};
/** Refused for other reasons while a run is live. */
const WITHOUT_RUN: Record<string, Ask> = {
  "the import of a state": route("POST", ({ workspaceId }) => `/workspaces/${workspaceId}/state`, STATE, "Bearer"),
};

/** All that a command could have changed. */
async function contentOf({ workspaceId }: Spot): Promise<Data> {
  const [content] = await scene.rows(
    `select (to_jsonb(w) - 'project_id')::text as workspace,
      (select jsonb_agg(to_jsonb(r) - 'project_id' order by r.id)::text from run r where r.workspace_id = w.id) as runs,
      (select jsonb_agg(v order by v.key)::text from variable v where v.workspace_id = w.id) as variables,
      (select count(*)::int from run_comment c join run r on r.id = c.run_id where r.workspace_id = w.id) as comments,
      (select count(*)::int from run_event e join run r on r.id = e.run_id where r.workspace_id = w.id) as run_events,
      (select count(*)::int from workspace_event e where e.workspace_id = w.id) as events,
      (select count(*)::int from state_lock l where l.workspace_id = w.id) as locks,
      (select count(*)::int from state_version s where s.workspace_id = w.id) as states
     from workspace w where id = $1`,
    workspaceId,
  );
  return content ?? {};
}

const WAITERS =
  "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Has a command wait for a row that a transaction holds, and does `then` in between. Gives the answer. */
async function whileWaiting<T>(
  hold: (tx: Transaction) => Promise<unknown>,
  ask: () => Promise<T>,
  then: (tx: Transaction) => Promise<unknown>,
): Promise<T> {
  const { answer } = await scene.server.deps.database.transaction(async (tx) => {
    await hold(tx);
    const asked = ask();
    while ((await scene.rows(WAITERS))[0]?.["count"] === 0) await new Promise(setImmediate);
    await then(tx);
    return { answer: asked };
  });
  return answer;
}

const holdWorkspace = (spot: Spot) => (tx: Transaction) =>
  tx.sql.selectFrom("workspace").select("id").where("id", "=", spot.workspaceId).forUpdate().execute();

describe("rights that are revoked while a command waits for its lock", () => {
  it(
    `are refused, in ${ROUNDS} rounds`,
    async () => {
      const revocations = Object.entries(REVOCATIONS);
      const commands = Object.entries({ ...COMMANDS, ...WITHOUT_RUN });
      for (let round = 0; round < ROUNDS; round++) {
        const [how, prepare] = revocations[round % revocations.length] ?? [];
        // Each way meets each command in turn.
        const [what, ask] = commands[(round + Math.floor(round / revocations.length)) % commands.length] ?? [];
        if (prepare === undefined || ask === undefined) throw new Error("There is no such round.");
        const spot = await makeSpot();
        if (what !== undefined && what in WITHOUT_RUN) await make("cancelRun", { runId: spot.runId });
        const { secret, revoke } = await prepare(spot);
        // The server that is asked has compiled the rights, and is given no hint.
        const api = createApi(other.url, secret);
        expect(await api.ask("{ viewer { actor { id } } }")).toMatchObject({ viewer: {} });
        const before = await contentOf(spot);
        const code = await whileWaiting(holdWorkspace(spot), () => ask(other.url, secret, spot), revoke);
        expect(`${code}`, `${what}: ${how}`).toMatch(/^(FORBIDDEN|NOT_FOUND)$/);
        expect(await contentOf(spot), `${what}: ${how}`).toEqual(before);
      }
    },
    inject("soaks") ? 600_000 : 60_000,
  );

  it("were needed: each command succeeds with them", async () => {
    for (const [what, ask] of Object.entries({ ...COMMANDS, ...WITHOUT_RUN })) {
      const spot = await makeSpot();
      if (what in WITHOUT_RUN) await make("cancelRun", { runId: spot.runId });
      const { secret } = await granted(spot.workspaceId, async () => undefined);
      const before = await contentOf(spot);
      expect(
        await whileWaiting(
          holdWorkspace(spot),
          () => ask(other.url, secret, spot),
          async () => 0,
        ),
        what,
      ).toBe(null);
      expect(await contentOf(spot), what).not.toEqual(before);
    }
  });

  it("of another caller change nothing: the command commits once, under the rights of now", async () => {
    const spot = await makeSpot();
    const { secret } = await granted(spot.workspaceId, async () => undefined);
    const unrelated = await grantTo(await createAccount(), spot.workspaceId);
    const before = await contentOf(spot);
    const code = await whileWaiting(
      holdWorkspace(spot),
      () => COMMANDS["commentOnRun"]?.(other.url, secret, spot) ?? Promise.reject(new Error("no command")),
      () => make("revokeGrant", { grantId: unrelated }),
    );
    expect(code).toBe(null);
    expect(await contentOf(spot)).toMatchObject({ comments: before.comments + 1 });
  });

  it("are refused to commands that change rights themselves, and wait for the one that takes theirs", async () => {
    const spot = await makeSpot();
    const { secret, actorId, grantId } = await (async () => {
      const id = await createAccount();
      const held = await grantTo(id, spot.projectId);
      return { actorId: id, grantId: held, secret: (await createToken(id)).secret };
    })();
    const friend = await createAccount();
    const input = { principalId: friend, roleId: builtInRoleId("READER"), scopeId: spot.projectId };
    const answer = await whileWaiting(
      // As the command that revokes does it: the version of rights is locked until its commit.
      (tx) =>
        sql`update access_grant set revoked_at = now(), revoked_by = ${actorId} where id = ${grantId}`.execute(tx.sql),
      () => send(createApi(other.url, secret), "createGrant", input),
      async () => undefined,
    );
    expect(answer).toMatchObject({ code: "FORBIDDEN" });
    expect(await scene.rows("select id from access_grant where principal_id = $1", friend)).toEqual([]);
  });

  it("end with a session", async () => {
    const spot = await makeSpot();
    const person = await scene.login("ADMIN");
    const { deps, domain } = other;
    const opened = await deps.database.transaction((tx) =>
      openSession(
        tx,
        deps,
        {
          actor: { id: person.actorId, kind: "USER", name: "p" },
          method: "PASSKEY",
          browser: { address: null, userAgent: null, formerSecret: null },
          presentAt: null,
        },
        null,
        deps.clock(),
      ),
    );
    const caller = await domain.authenticate(opened.secret);
    if (caller === null) throw new Error("The session is not known.");
    const comment = () => domain.commentOnRun(caller, { runId: spot.runId, text: "text" });
    await comment();
    const before = await contentOf(spot);
    const end = () => scene.rows("update session set revoked_at = now() where id = $1", caller.credentialId);
    const refused = whileWaiting(holdWorkspace(spot), comment, end);
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await contentOf(spot)).toEqual(before);
  });

  it("are an error that each command declares", () => {
    for (const [name, { errors }] of Object.entries(COMMANDS_OF_DOMAIN)) expect(errors, name).toContain("FORBIDDEN");
  });

  it("are no reason to refuse a command that takes its own caller's", async () => {
    const actorId = await createAccount();
    const { secret, token } = await createToken(actorId);
    expect(await send(createApi(other.url, secret), "revokeToken", { tokenId: token.id })).toMatchObject({
      __typename: "RevokeTokenSuccess",
    });
    const person = await scene.login("ADMIN");
    const elsewhere = createApi(other.url, person.token);
    expect(await send(elsewhere, "disableUser", { userId: person.actorId })).toMatchObject({
      __typename: "DisableUserSuccess",
    });
    expect((await elsewhere.send("{ viewer { actor { id } } }")).status).toBe(401);
  });
});
