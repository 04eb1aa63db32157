/** Exceptions from policies, through the API: two people, an end, and what they cover meanwhile. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { announceExpiringExceptions } from "../../../src/domain/judgement/announce-exceptions.ts";
import { areExceptionsInForce, findWaivers } from "../../../src/domain/policy/waivers.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { Api, Data } from "../../support/api.ts";
import { invited, type Person, SITE, signedIn } from "../../support/people-steps.ts";
import { addException, addPolicySet } from "../../support/judged-plans.ts";
import { readWebhookDeliveries, sendWebhookCommand } from "../../support/webhook-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const DAY = 24 * 60 * 60 * 1000;

let scene: Scene;
let boss: Person;
let wes: Person;
/** Sessions end where the clock goes on for days. */
const signIn = async (): Promise<void> => {
  boss = await signedIn(scene, "boss", "ADMIN");
  wes = await signedIn(scene, "wes", "WRITER");
};
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc: null } });
});
beforeEach(signIn);
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** A sign-in that is recent enough to decide, whatever the clock shows by now. */
const admin = (name = "boss"): Promise<Person> => signedIn(scene, name, "ADMIN");
const inDays = (days: number): string => new Date(scene.server.deps.clock().getTime() + days * DAY).toISOString();

const FIELDS = `policyException { id policy rule addressGlob reason ticket state requestedAt expiresAt requestedBy { id }
  workspaces { id } decidedBy { id } decidedAt decisionComment revokedBy { id } revokedAt revocationComment }`;

async function send(name: string, input: object, by: Api): Promise<Data> {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${type}Input!) { done: ${name}(input: $input) { __typename
    ... on ${type}Success { ${FIELDS} } ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;
  return (await by.ask(query, { input })).done;
}

interface Place {
  policySetId: string;
  workspaceId: string;
}
async function place(): Promise<Place> {
  const [{ setId: policySetId }, workspaceId] = [await addPolicySet(scene), await scene.createWorkspace()];
  return { policySetId, workspaceId };
}
const request = ({ policySetId, workspaceId }: Place, by: Api, more: object = {}): Promise<Data> => {
  const input = { policySetId, workspaceIds: [workspaceId], policy: "tags", reason: "It moves in May." };
  return send("requestPolicyException", { ...input, expiresAt: inDays(30), ...more }, by);
};
async function requested(at?: Place, more: object = {}): Promise<Data> {
  return (await request(at ?? (await place()), wes, more)).policyException;
}
const decide = (
  exceptionId: string,
  by: Api,
  decision = "APPROVE",
  comment: string | null = "Agreed.",
): Promise<Data> => send("decidePolicyException", { exceptionId, decision, comment }, by);
const problems = ({ issues }: Data): string[][] => issues.map(({ path, message }: Data) => [path.join("."), message]);

describe("an exception", () => {
  it("is requested by a writer and approved by another person; both are kept", async () => {
    const at = await place();
    const asked = await requested(at, { rule: "owner", addressGlob: "module.legacy.*", ticket: "OPS-1" });
    expect(asked).toEqual({
      id: expect.stringMatching(/^pexc_/),
      policy: "tags",
      rule: "owner",
      addressGlob: "module.legacy.*",
      reason: "It moves in May.",
      ticket: "OPS-1",
      state: "REQUESTED",
      requestedAt: expect.any(String),
      expiresAt: inDays(30),
      requestedBy: { id: wes.id },
      workspaces: [{ id: at.workspaceId }],
      decidedBy: null,
      decidedAt: null,
      decisionComment: null,
      revokedBy: null,
      revokedAt: null,
      revocationComment: null,
    });
    const decider = await admin();
    const approved = await decide(asked.id, decider);
    expect(approved.policyException).toMatchObject({
      state: "APPROVED",
      decidedBy: { id: decider.id },
      decisionComment: "Agreed.",
    });
    const { node } = await boss.ask("query ($id: ID!) { node(id: $id) { ... on PolicyException { state ticket } } }", {
      id: asked.id,
    });
    expect(node).toEqual({ state: "APPROVED", ticket: "OPS-1" });
    // The same decision again changes nothing; another one is refused.
    expect((await decide(asked.id, decider, "APPROVE", "Again.")).policyException.decisionComment).toBe("Agreed.");
    expect(problems(await decide(asked.id, decider, "REJECT"))).toEqual([
      ["exceptionId", "must be one that is requested: it is APPROVED."],
    ]);
  });

  it("is not decided about by its requester, by a sponsor or a guest of it, or by a token", async () => {
    const at = await place();
    const one = await admin("one");
    const asked = (await request(at, one)).policyException;
    expect(await decide(asked.id, await admin("one"))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("another person than its requester"),
    });
    const guest = await invited(scene, await admin("one"), "ADMIN");
    expect(await decide(asked.id, guest)).toMatchObject({ code: "FORBIDDEN" });
    // And the other way round: a guest requests, and the one that invited it decides.
    const host = await admin("host");
    const ofGuest = (await request(at, await invited(scene, host, "ADMIN"))).policyException;
    expect(await decide(ofGuest.id, await admin("host"))).toMatchObject({ code: "FORBIDDEN" });
    for (const actor of ["USER", "MACHINE"]) {
      expect(await decide(asked.id, await scene.login("ADMIN", { actor }))).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining("Only a person who signs in may decide about an exception"),
      });
      expect(await request(at, await scene.login("WRITER", { actor }))).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining("Only a person who signs in may request an exception"),
      });
    }
    expect((await decide(asked.id, await admin())).policyException.state).toBe("APPROVED");
  });

  it("is decided about in a recent session by one who may write policies", async () => {
    const { id } = await requested();
    expect(await decide(id, wes)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("POLICY_WRITE"),
    });
    const old = await admin();
    scene.server.advance(LIMITS.presenceMs + 1);
    expect(await decide(id, old)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect((await decide(id, await admin(), "REJECT")).policyException.state).toBe("REJECTED");
  });

  it("is revoked by its requester or by one who may write policies, and ends at its time", async () => {
    const own = await requested();
    const taken = await send("revokePolicyException", { exceptionId: own.id, comment: "Not needed." }, wes);
    expect(taken.policyException).toMatchObject({
      state: "REVOKED",
      revokedBy: { id: wes.id },
      revocationComment: "Not needed.",
    });
    expect(problems(await decide(own.id, await admin()))).toEqual([
      ["exceptionId", expect.stringContaining("REVOKED")],
    ]);

    const another = await requested();
    await decide(another.id, await admin());
    const other = await signedIn(scene, "other", "WRITER");
    expect(await send("revokePolicyException", { exceptionId: another.id }, other)).toMatchObject({
      code: "FORBIDDEN",
    });
    const revoked = await send("revokePolicyException", { exceptionId: another.id }, boss);
    expect(revoked.policyException).toMatchObject({ state: "REVOKED", revokedBy: { id: boss.id } });

    const late = await requested(undefined, { expiresAt: inDays(1) });
    scene.server.advance(DAY);
    const expired = [["exceptionId", expect.stringContaining("EXPIRED")]];
    expect(problems(await decide(late.id, await admin()))).toEqual(expired);
    expect(problems(await send("revokePolicyException", { exceptionId: late.id }, await admin()))).toEqual(expired);
  });

  it("takes the permission in each of its workspaces, and shows no hidden one", async () => {
    const { policySetId, workspaceId } = await place();
    const { createProject } = await scene.api.ask(
      `mutation ($input: CreateProjectInput!) { createProject(input: $input) { ... on CreateProjectSuccess { project { id } } } }`,
      { input: { organizationId: DEFAULT_ORGANIZATION_ID, name: `isolated-${randomUUID()}` } },
    );
    const projectId = createProject.project.id;
    const hidden = await scene.createWorkspace({ projectId });
    await scene.api.ask(
      `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { ... on UpdateProjectSuccess { project { id } } } }`,
      { input: { projectId, isolated: true } },
    );
    const refused = async (id: string) =>
      problems(await request({ policySetId, workspaceId }, wes, { workspaceIds: [workspaceId, id] }));
    const absent = [["workspaceIds.1", "must be a workspace of the organization of the policy set."]];
    expect(await refused(hidden)).toEqual(absent);
    expect(await refused("ws_00000000000000000000000000")).toEqual(absent);
    expect(await refused(policySetId)).toEqual(absent);
    const reader = await signedIn(scene, "reader", "READER");
    expect(await request({ policySetId, workspaceId }, reader)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("POLICY_EXCEPT"),
    });
  });
});

describe("a bad request", () => {
  it("names the field, and what would be right", async () => {
    const at = await place();
    const refused = async (more: object) => problems(await request(at, wes, more));
    expect(await refused({ expiresAt: inDays(0) })).toEqual([["expiresAt", "must be in the future."]]);
    expect(await refused({ expiresAt: inDays(-1) })).toEqual([["expiresAt", "must be in the future."]]);
    expect(await refused({ expiresAt: inDays(90.001) })).toEqual([["expiresAt", "must be at most 90 days from now."]]);
    expect(await refused({ policy: "none" })).toEqual([
      ["policy", expect.stringContaining('It has "buckets", "tags".')],
    ]);
    expect(await refused({ reason: " " })).toEqual([["reason", expect.stringContaining("explain why")]]);
    expect(await refused({ rule: "" })).toContainEqual(["rule", expect.stringContaining("name of a rule")]);
    expect(await refused({ addressGlob: "a\nb" })).toEqual([["addressGlob", expect.stringContaining("one line")]]);
    expect(await refused({ workspaceIds: [] })).toEqual([["workspaceIds", expect.stringContaining("from 1 to 100")]]);
    expect(await refused({ workspaceIds: [at.workspaceId, at.workspaceId] })).toEqual([
      ["workspaceIds", expect.stringContaining("once")],
    ]);
    // Without an end it is no input.
    await expect(request(at, scene.api, { expiresAt: undefined })).rejects.toThrow(/expiresAt/);
    expect((await request(at, wes, { expiresAt: inDays(90) })).__typename).toBe("RequestPolicyExceptionSuccess");
  });

  it("is one too many for its set", async () => {
    const at = await place();
    await scene.rows(
      `insert into policy_exception (id, organization_id, set_id, policy, rule, address_glob, workspace_ids, reason, state,
         requested_by, requester_counts_as, requested_at, expires_at)
       select 'pexc_' || lpad(n::text, 26, '0'), $1, $2, 'tags', '*', '*', '{}', 'r', 'REQUESTED', $3, $3, now(), $4
       from generate_series(1, $5::int) n`,
      DEFAULT_ORGANIZATION_ID,
      at.policySetId,
      boss.id,
      inDays(80),
      LIMITS.exceptionsPerSet,
    );
    expect(problems(await request(at, wes))).toEqual([["policySetId", expect.stringContaining("is the limit")]]);
  });
});

describe("an approved exception", () => {
  const violation = (setId: string) => ({
    id: "pres_1",
    source: "POLICY" as const,
    ownerId: setId,
    policy: "tags",
    rule: "owner",
    level: "MANDATORY" as const,
    status: "FAILED" as const,
    addresses: ["aws_instance.a"],
    approvers: null,
  });

  it("waives violations of its workspaces until it ends", async () => {
    const at = await place();
    const { id } = await requested(at);
    const { database, clock } = scene.server.deps;
    const waived = async (workspaceId: string, now = clock().toISOString()) =>
      (await findWaivers(database, { workspaceId }, [violation(at.policySetId)], now)).get("pres_1") ?? null;
    expect(await waived(at.workspaceId)).toBeNull();
    await decide(id, await admin());
    expect(await waived(at.workspaceId)).toBe(id);
    expect(await waived(await scene.createWorkspace())).toBeNull();
    expect(await waived(at.workspaceId, inDays(30))).toBeNull();
    expect(await areExceptionsInForce(database, [id, id], clock().toISOString())).toBe(true);
    expect(await areExceptionsInForce(database, [id], inDays(30))).toBe(false);
    expect(await areExceptionsInForce(database, [], inDays(30))).toBe(true);
    await send("revokePolicyException", { exceptionId: id }, boss);
    expect(await waived(at.workspaceId)).toBeNull();
    expect(await areExceptionsInForce(database, [id], clock().toISOString())).toBe(false);
  });

  it("is announced to webhooks once, seven days before its end", async () => {
    const input = { url: "https://example.com/", events: ["POLICY_EXCEPTION_EXPIRING"] };
    const organizationId = DEFAULT_ORGANIZATION_ID;
    const { webhook } = await sendWebhookCommand(scene.api, "createWebhook", { ...input, organizationId });
    const [{ setId }, workspaceId] = [await addPolicySet(scene, { name: "announced" }), await scene.createWorkspace()];
    const decided = { state: "APPROVED" } as const;
    const id = await addException(scene, setId, [workspaceId], { expiresAt: inDays(8), ticket: "OPS-7" });
    const requestedOnly = await addException(scene, setId, [workspaceId], { expiresAt: inDays(8) });
    await scene.rows(
      "update policy_exception set state = $2, decided_by = requested_by, decided_at = now() where id = $1",
      id,
      decided.state,
    );
    const messages = async () => {
      await announceExpiringExceptions(scene.server.deps);
      const deliveries = await readWebhookDeliveries(scene.api, webhook.id);
      return deliveries.map(({ payload }) => JSON.parse(payload));
    };
    expect(await messages()).toEqual([]);
    scene.server.advance(DAY);
    const [first, ...others] = await messages();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      type: "policy.exception.expiring",
      data: {
        organization: { slug: "default" },
        policySet: { id: setId, name: "announced" },
        exception: { id, policy: "tags", workspaceIds: [workspaceId], ticket: "OPS-7", expiresAt: inDays(7) },
      },
    });
    expect(await messages()).toHaveLength(1);
    expect(requestedOnly).not.toBe(id);
  });
});
