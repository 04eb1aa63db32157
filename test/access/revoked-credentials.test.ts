/**
 * Whatever ends what a credential of any kind allows: the next request is refused by another server, which is not notified
 * of it. Each kind meets each way.
 */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import { createProgramRequests } from "../../src/domain/programs/program-requests.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import type { FakeJob } from "../support/fake-runner.ts";
import type { InProcess } from "../support/in-process.ts";
import { must, SITE, signedIn } from "../support/people-steps.ts";
import { sendForm } from "../support/program-steps.ts";
import { startTokenIssuer, type TokenIssuer } from "../support/token-issuer.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let scene: Scene;
let other: InProcess;
let ci: TokenIssuer;
beforeAll(async () => {
  scene = await openScene(1000, { hints: false, standing: true, signIn: { origin: SITE, oidc: null } });
  other = await scene.server.second();
  ci = await startTokenIssuer(scene.server.deps.clock);
});
afterAll(async () => {
  await ci[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported, ...other.reported]).toEqual([]));

const make = (name: string, input: object, fields = "__typename"): Promise<Data> =>
  must(scene.api, name, input, fields);
const later = (ms: number): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();
const advance = async (ms: number): Promise<void> => scene.server.advance(ms);

type Headers = Readonly<Record<string, string>>;

/** A credential, with what ends it. */
interface Credential {
  /** To what roles are granted. */
  principalId: string;
  headers: Headers;
  endings: Readonly<Record<string, () => Promise<unknown>>>;
}

const bearer = (secret: unknown): Headers => ({ authorization: `Bearer ${String(secret)}` });
const disabling = (userId: string) => ({ "its owner is disabled": () => make("disableUser", { userId }) });
const expiring = (ms: number) => ({ "its time is over": () => advance(ms) });
const revoking = (tokenId: string) => ({ "it is revoked": () => make("revokeToken", { tokenId }) });

/** A cookie counts where a page of the site sends it. */
const cookieOf = (secret: string): Headers => ({ cookie: `holdpoint=${secret}`, origin: SITE });

async function session(): Promise<Credential> {
  const person = await signedIn(scene, randomUUID(), null);
  const [row] = await scene.rows("select id from session where actor_id = $1", person.id);
  const secret = person.secret;
  return {
    principalId: person.id,
    headers: cookieOf(secret),
    endings: {
      ...disabling(person.id),
      "it is revoked": () => make("revokeSession", { sessionId: row?.["id"] }),
      "all sessions of the person are revoked": () => make("revokeSessions", { userId: person.id }),
      async "the person signs out"() {
        const answer = await fetch(`${scene.server.url}/auth/logout`, {
          method: "POST",
          headers: cookieOf(secret),
          redirect: "manual",
        });
        await answer.text();
      },
      "it is not used": () => advance(LIMITS.sessionIdleMs),
      async "its time is over"() {
        await advance(LIMITS.sessionMs);
        await scene.rows("update session set seen_at = $2 where actor_id = $1", person.id, later(0));
      },
    },
  };
}

async function token(): Promise<Credential> {
  const person = await signedIn(scene, randomUUID(), null);
  const input = { ownerId: person.id, name: randomUUID(), expiresAt: later(DAY) };
  const made = await must(person, "createToken", input, "secret token { id }");
  const rotated = { tokenId: made.token.id, overlapHours: 0 };
  return {
    principalId: person.id,
    headers: bearer(made.secret),
    endings: {
      ...disabling(person.id),
      ...revoking(made.token.id),
      ...expiring(DAY),
      "it gets another secret": () => must(person, "rotateToken", rotated, "secret"),
      async "it is not used"() {
        await scene.rows("update token set expires_at = $2 where id = $1", made.token.id, later(366 * DAY));
        await advance(90 * DAY + MINUTE);
      },
      "it is bound to a network": () =>
        scene.rows("update token set networks = '{203.0.113.0/24}' where id = $1", made.token.id),
    },
  };
}

async function tokenSession(): Promise<Credential> {
  const person = await signedIn(scene, randomUUID(), null);
  const input = { ownerId: person.id, name: randomUUID(), expiresAt: later(DAY) };
  const made = await must(person, "createToken", input, "secret token { id }");
  const signIns = createSignIns(scene.server.deps);
  const { secret } = await signIns.byToken(made.secret, { address: null, userAgent: null, formerSecret: null });
  const [row] = await scene.rows("select id from session where token_id = $1", made.token.id);
  return {
    principalId: person.id,
    headers: cookieOf(secret),
    endings: {
      ...disabling(person.id),
      "it is revoked": () => make("revokeSession", { sessionId: row?.["id"] }),
      "its token is revoked": () => make("revokeToken", { tokenId: made.token.id }),
      "its token gets another secret": () =>
        must(person, "rotateToken", { tokenId: made.token.id, overlapHours: 24 }, "secret"),
      "its token is bound to a network": () =>
        scene.rows("update token set networks = '{203.0.113.0/24}' where id = $1", made.token.id),
      "it is not used": () => advance(LIMITS.sessionIdleMs),
      async "the time of its token is over"() {
        await advance(DAY);
        await scene.rows("update session set seen_at = $2 where actor_id = $1", person.id, later(0));
      },
    },
  };
}

async function deviceToken(): Promise<Credential> {
  const person = await signedIn(scene, randomUUID(), null);
  const requests = createProgramRequests(scene.server.deps);
  const begun = await requests.begin({ client: "holdpoint-cli", permissions: null, address: null });
  const caller = await scene.server.domain.authenticate(person.secret);
  if (caller === null || !(await requests.decide(caller, begun.userCode, true))) throw new Error("It is not allowed.");
  const fetched = await requests.fetchByDevice("holdpoint-cli", begun.deviceCode);
  if (!("token" in fetched)) throw new Error(fetched.error);
  const { secret, tokenId } = fetched.token;
  const endings = { ...disabling(person.id), ...revoking(tokenId), ...expiring(LIMITS.programTokenDays * DAY) };
  return { principalId: person.id, headers: bearer(secret), endings };
}

async function exchangedToken(): Promise<Credential> {
  const principalId = (await make("createServiceAccount", { organizationId, name: "ci" }, "actor { id }")).actor.id;
  const [audience, subject] = ["https://holdpoint.example.com", `project:${randomUUID()}`];
  const rule = { serviceAccountId: principalId, issuer: ci.issuer, audience, subject, maxSeconds: 600 };
  const { trustRule } = await make("createTrustRule", rule, "trustRule { id }");
  const type = "urn:ietf:params:oauth:token-type:jwt";
  const { body } = await sendForm(`${scene.server.url}/auth/token`, {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: await ci.sign({ sub: subject, aud: audience, jti: randomUUID() }),
    subject_token_type: type,
  });
  const [row] = await scene.rows("select id from token where actor_id = $1", principalId);
  return {
    principalId,
    headers: bearer(body["access_token"]),
    endings: {
      ...disabling(principalId),
      ...revoking(row?.["id"]),
      ...expiring(10 * MINUTE),
      "its trust rule is deleted": () => make("deleteTrustRule", { trustRuleId: trustRule.id }),
    },
  };
}

async function runToken(): Promise<Credential> {
  const principalId = await scene.createWorkspace();
  // The token of a job is made for a workspace that has a grant.
  await make("createGrant", { principalId, roleId: builtInRoleId("READER"), scopeId: principalId });
  const runId = await scene.createRun(principalId, { kind: "PLAN" });
  const leased: FakeJob = await scene.claim(runId);
  return {
    principalId,
    headers: bearer(leased.job.runToken),
    endings: {
      "its job ends": () => leased.plan(),
      "its lease is over": () => advance(MINUTE),
      async "its run is stopped by force"() {
        await make("cancelRun", { runId });
        await scene.rows(
          "update run set cancel_requested_at = cancel_requested_at - interval '1 hour' where id = $1",
          runId,
        );
        await make("cancelRun", { runId, force: true });
      },
    },
  };
}

const KINDS: Readonly<Record<string, () => Promise<Credential>>> = {
  "a session": session,
  "a token": token,
  "a session of a token": tokenSession,
  "a token of a program": deviceToken,
  "a token that was exchanged": exchangedToken,
  "the token of a run": runToken,
};

/** A run in a project below another one, which a credential may read. */
interface Spot {
  runId: string;
  parentId: string;
  projectId: string;
}

async function createSpot(): Promise<Spot> {
  const project = async (more: object = {}): Promise<string> =>
    (await make("createProject", { organizationId, name: randomUUID(), ...more }, "project { id }")).project.id;
  const parentId = await project();
  const projectId = await project({ parentId });
  const runId = await scene.createRun(await scene.createWorkspace({ projectId }), { kind: "PLAN" });
  // No runner takes it from the others.
  await make("cancelRun", { runId });
  return { runId, parentId, projectId };
}

async function grant(principalId: string, scopeId: string, more: object = {}): Promise<string> {
  const input = { principalId, roleId: builtInRoleId("READER"), scopeId, ...more };
  return (await make("createGrant", input, "grant { id }")).grant.id;
}

/** Each gives the credential the right to read the run, and what takes that away. */
const WAYS: Readonly<Record<string, (one: Credential, spot: Spot) => Promise<() => Promise<unknown>>>> = {
  async "its grant is revoked"({ principalId }, { projectId }) {
    const grantId = await grant(principalId, projectId);
    return () => make("revokeGrant", { grantId });
  },
  async "its grant ends by the clock"({ principalId }, { projectId }) {
    await grant(principalId, projectId, { expiresAt: later(10_000) });
    return () => advance(10_000);
  },
  async "its team is left"({ principalId }, { projectId }) {
    const { team } = await make("createTeam", { organizationId, name: randomUUID() }, "team { id }");
    await grant(team.id, projectId);
    const member = { teamId: team.id, actorId: principalId };
    await make("addTeamMember", member);
    return () => make("removeTeamMember", member);
  },
  async "its team is deleted"({ principalId }, { projectId }) {
    const { team } = await make("createTeam", { organizationId, name: randomUUID() }, "team { id }");
    await grant(team.id, projectId);
    await make("addTeamMember", { teamId: team.id, actorId: principalId });
    return () => make("deleteTeam", { teamId: team.id });
  },
  async "its membership lapses"({ principalId }, { projectId }) {
    const { team } = await make("createTeam", { organizationId, name: randomUUID() }, "team { id }");
    await grant(team.id, projectId);
    await make("addTeamMember", { teamId: team.id, actorId: principalId });
    await scene.rows("update team_member set lapses_at = $2 where team_id = $1", team.id, later(10_000));
    return () => advance(10_000);
  },
  async "its role loses the permission"({ principalId }, { projectId }) {
    const permissions = ["WORKSPACE_READ", "RUN_READ"];
    const input = { organizationId, name: randomUUID(), permissions };
    const { role } = await make("createRole", input, "role { id }");
    await grant(principalId, projectId, { roleId: role.id });
    return () => make("updateRole", { roleId: role.id, permissions: ["WORKSPACE_READ"] });
  },
  async "the project is moved"({ principalId }, { parentId, projectId }) {
    await grant(principalId, parentId);
    const away = await make("createProject", { organizationId, name: randomUUID() }, "project { id }");
    return () => make("moveProject", { projectId, toProjectId: away.project.id });
  },
  async "the project is isolated"({ principalId }, { parentId, projectId }) {
    await grant(principalId, parentId);
    return () => make("updateProject", { projectId, isolated: true });
  },
};
const OF_TEAMS = ["its team is left", "its team is deleted", "its membership lapses"];

/** What the other server answers. */
async function ask({ headers }: Credential, { runId }: Spot): Promise<"seen" | "hidden" | "refused"> {
  const answer = await fetch(`${other.url}/graphql`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ query: "query ($id: ID!) { node(id: $id) { id } }", variables: { id: runId } }),
  });
  const text = await answer.text();
  if (answer.status === 401) return "refused";
  expect(answer.status, text).toBe(200);
  return JSON.parse(text).data.node === null ? "hidden" : "seen";
}

describe.each(Object.entries(KINDS))("%s", (kind, create) => {
  const ways = Object.keys(WAYS).filter((way) => kind !== "the token of a run" || !OF_TEAMS.includes(way));

  it.each(ways)("shows nothing from the next request on: %s", async (way) => {
    const [one, spot] = [await create(), await createSpot()];
    expect(await ask(one, spot)).toBe("hidden");
    const end = await WAYS[way]?.(one, spot);
    expect(await ask(one, spot)).toBe("seen");
    await end?.();
    expect(await ask(one, spot)).toBe("hidden");
  });

  it("is refused from the next request on, by all that ends it", async () => {
    const names = Object.keys((await create()).endings);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const [one, spot] = [await create(), await createSpot()];
      await grant(one.principalId, spot.projectId);
      expect(await ask(one, spot), name).toBe("seen");
      await one.endings[name]?.();
      expect(await ask(one, spot), name).toBe("refused");
    }
  });
});
