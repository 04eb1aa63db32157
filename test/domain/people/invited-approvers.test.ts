/** Where no identity provider knows people: who was invited counts as the one that invited it, for some time. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { dueSchedulesRound } from "../../../src/domain/schedule/due-schedules-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import { invited, must, type Person, SITE, signedIn } from "../../support/people-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const HOUR = 3_600_000;
const TWO = { name: "two", gate: "PLAN", minimum: 2 };
const FOUR_EYES = { name: "four eyes", gate: "PLAN", excludeRequester: true };

let scene: Scene;
/** An administrator and a colleague, who were identified long ago. */
let boss: Person;
let ann: Person;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc: null } });
  boss = await signedIn(scene, "boss", "ADMIN");
  ann = await signedIn(scene, "ann", "APPROVER");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const gate = async (...approvalRules: object[]): Promise<string> =>
  (await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules })).runId;
const approve = (runId: string, by: Api, more: object = {}): Promise<Data> =>
  scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, ...more }, by);
/** A sign-in that is recent enough for invitations, whatever the clock shows by now. */
const now = (): Promise<Person> => signedIn(scene, "boss", "ADMIN");
const invite = async (by: Api, role?: "ADMIN"): Promise<Person> => invited(scene, by, role);

const refused = { code: "FORBIDDEN", message: expect.stringContaining("count as one") };
const waits = { run: { status: "AWAITING_PLAN_APPROVAL" } };
const passes = { run: { status: "AWAITING_APPLY_APPROVAL" } };

describe("a gate of two", () => {
  it("is not passed by an administrator and a person that it invited", async () => {
    for (const isFirst of [true, false]) {
      const runId = await gate(TWO);
      const second = await invite(await now());
      const [one, other] = isFirst ? [boss, second] : [second, boss];
      expect(await approve(runId, one)).toMatchObject(waits);
      expect(await approve(runId, other)).toMatchObject(refused);
      const query =
        "query ($id: ID!) { run(id: $id) { approvalRequirements { missing eligibleActors { id } viewerReason } } }";
      const [requirement] = (await scene.api.ask(query, { id: runId })).run.approvalRequirements;
      expect(requirement).toMatchObject({ missing: 1 });
      const eligible = requirement.eligibleActors.map(({ id }: Data) => id);
      expect(eligible).toContain(ann.id);
      expect(eligible).not.toContain(other.id);
      const [{ viewerReason }] = (await other.ask(query, { id: runId })).run.approvalRequirements;
      expect(viewerReason).toContain("count as one");
      expect(await approve(runId, ann)).toMatchObject(passes);
    }
  });

  it("is not passed by two people whom one administrator invited, also one by the other", async () => {
    const first = await invite(await now(), "ADMIN");
    const second = await invite(first);
    const third = await invite(scene.api);
    for (const [one, other, isOne] of [
      [first, second, true],
      [second, boss, true],
      [third, second, false],
    ] as const) {
      const runId = await gate(TWO);
      await approve(runId, one);
      expect(await approve(runId, other)).toMatchObject(isOne ? refused : passes);
    }
  });

  it("is not passed by people whom the first administrator invited with its token", async () => {
    const [first, second] = [await invite(scene.api), await invite(scene.api)];
    const runId = await gate(TWO);
    await approve(runId, first);
    expect(await approve(runId, second)).toMatchObject(refused);
    expect(await approve(runId, ann)).toMatchObject(passes);
  });

  it("counts the approval of an invited person beside that of another one", async () => {
    const runId = await gate(TWO);
    expect(await approve(runId, await invite(await now()))).toMatchObject(waits);
    expect(await approve(runId, ann)).toMatchObject(passes);
  });
});

describe("four eyes", () => {
  it("are not those of an administrator and a person that it invited, whoever of them requested", async () => {
    const second = await invite(await now(), "ADMIN");
    const third = await invite(await now());
    const requested = async (by: Api): Promise<string> => {
      const workspaceId = await scene.createWorkspace({ approvalRules: [FOUR_EYES] });
      const { run } = await scene.send("createRun", { workspaceId }, by);
      await (await scene.claim(run.id)).plan();
      return run.id;
    };
    for (const [by, other] of [
      [boss, second],
      [second, boss],
      [second, third],
    ] as const) {
      const runId = await requested(by);
      expect(await approve(runId, other)).toMatchObject(refused);
      expect(await approve(runId, ann)).toMatchObject(passes);
    }
  });

  it("are not where one of them asked for the plan again", async () => {
    const second = await invite(await now(), "ADMIN");
    const workspaceId = await scene.createWorkspace({ approvalRules: [FOUR_EYES] });
    const { run } = await scene.send("createRun", { workspaceId }, ann);
    await (await scene.claim(run.id)).plan();
    await scene.send("replanRun", { runId: run.id, planVersion: 1 }, second);
    await (await scene.claim(run.id)).plan();
    expect(await approve(run.id, boss, { planVersion: 2 })).toMatchObject(refused);
  });

  it("are not where one of them has a schedule that requested the run", async () => {
    const second = await invite(await now(), "ADMIN");
    const workspaceId = await scene.createWorkspace({ approvalRules: [FOUR_EYES] });
    const input = { organizationId: DEFAULT_ORGANIZATION_ID, workspaceId, name: "s", cron: "0 0 1 1 *", action: "RUN" };
    const { schedule } = await must(second, "createSchedule", input, "schedule { id }");
    // It is due now.
    await scene.rows("update schedule set next_at = $2 where id = $1", schedule.id, scene.server.deps.clock());
    await dueSchedulesRound(scene.server.deps, new AbortController().signal);
    await changesetRound(scene.server.deps, new AbortController().signal);
    const [run] = await scene.rows("select id, requested_by from run where workspace_id = $1", workspaceId);
    expect(run?.["requested_by"]).toEqual(expect.arrayContaining([second.id, boss.id]));
    await (await scene.claim(run?.["id"])).plan();
    expect(await approve(run?.["id"], boss)).toMatchObject(refused);
  });
});

describe("after three days", () => {
  it("records as whom a person counted, and keeps that", async () => {
    const runId = await gate(TWO);
    const second = await invite(await now());
    await approve(runId, second);
    scene.server.advance(73 * HOUR);
    expect(await approve(runId, await now())).toMatchObject(refused);
    const query = "query ($id: ID!) { run(id: $id) { approvals { actor { id } countsAs { id } } } }";
    const { approvals } = (await scene.api.ask(query, { id: runId })).run;
    expect(approvals).toEqual([{ actor: { id: second.id }, countsAs: { id: boss.id } }]);
  });

  it("an invited person counts as one of its own", async () => {
    const second = await invite(await now());
    const read = `{ organization(slug: "default") { members { actor { id } invitedBy { id } countsAloneAt } } }`;
    const { members } = (await scene.api.ask(read)).organization;
    const at = new Date(scene.server.deps.clock().getTime() + 72 * HOUR).toISOString();
    expect(members).toContainEqual({ actor: { id: second.id }, invitedBy: { id: boss.id }, countsAloneAt: at });
    const runId = await gate(TWO);
    scene.server.advance(72 * HOUR);
    // Its session has ended meanwhile.
    await scene.rows("update session set seen_at = $2 where actor_id = $1", second.id, at);
    await approve(runId, await now());
    expect(await approve(runId, second)).toMatchObject(passes);
  });

  it("or at once, where an identity provider comes to know it", async () => {
    const second = await invite(await now());
    await scene.rows(
      "insert into identity (issuer, subject, actor_id, created_at, last_login_at) values ('i', $1, $1, now(), now())",
      second.id,
    );
    const runId = await gate(TWO);
    await approve(runId, await now());
    expect(await approve(runId, second)).toMatchObject(passes);
  });
});
