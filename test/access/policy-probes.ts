/** Policies and external checks: what their commands say about what the caller may not read, and what they do before they refuse. */
import { randomUUID } from "node:crypto";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { insertCheckRow } from "../support/check-rows.ts";
import type { Api } from "../support/api.ts";
import { attachAtCreation } from "../support/created-runs.ts";
import { addPolicySet, judge } from "../support/judged-plans.ts";
import { startRunTaskService } from "../support/run-task-service.ts";
import { allBut, callerWith } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

const NONE = { labels: [], names: ["none at all"], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] };
const wrong = (answer: unknown): string => JSON.stringify(answer);

export function policyProbes(walk: WalkScene): Probe[] {
  return [
    ...selectorProbes(walk),
    overrideProbe(walk),
    ...exceptionProbes(walk),
    ...serviceProbes(walk),
    addressProbe(walk),
    ...denialProbes(walk),
  ];
}

/** A workspace of an isolated project, into which no grant from above reaches. */
async function createHidden({ scene, make, grant, organizationId }: WalkScene): Promise<{ id: string; name: string }> {
  const project = { organizationId, name: `p-${randomUUID()}`, isolated: true };
  const { id: projectId } = (await make("createProject", project, "project { id }")).project;
  await grant(ADMIN_ACTOR_ID, "ADMIN", projectId);
  const name = `hidden-${randomUUID()}`;
  return { id: await scene.createWorkspace({ name, projectId }), name };
}

function selectorProbes(walk: WalkScene): Probe[] {
  const { organizationId } = walk;
  const writer = () => callerWith(walk, { [organizationId]: ["POLICY_WRITE"] });
  return [
    {
      name: "updatePolicySet with a selector of a hidden workspace alone warns as if it selected none",
      async run() {
        const { name } = await createHidden(walk);
        const { setId } = await addPolicySet(walk.scene);
        const input = { policySetId: setId, selector: { names: [name] } };
        const answer = await walk.send(await writer(), "updatePolicySet", input, "warnings");
        await walk.make("deletePolicySet", { policySetId: setId }, "deletedId");
        return answer.warnings?.length === 1 ? null : wrong(answer);
      },
    },
    {
      name: "createPolicySet with a selector that names a hidden workspace",
      async run() {
        const { id } = await createHidden(walk);
        const set = { organizationId, name: `s-${randomUUID()}`, language: "CEL", selector: { workspaceIds: [id] } };
        const answer = await walk.send(await writer(), "createPolicySet", set);
        return answer.code === "INVALID_INPUT" ? null : wrong(answer);
      },
    },
  ];
}

/** The caller is told the permission that it lacks, and not what the stage counts. */
function overrideProbe(walk: WalkScene): Probe {
  const { scene } = walk;
  return {
    name: "the reason for which a caller without PLAN_APPROVE cannot override",
    async run() {
      const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
      const set = await addPolicySet(scene);
      await judge(scene, runId, set, [{}]);
      const query = "query ($id: ID!) { run(id: $id) { approvalRequirements { source viewerReason } } }";
      const { run } = await (await walk.having(allBut("PLAN_APPROVE"))).ask(query, { id: runId });
      await walk.make("deletePolicySet", { policySetId: set.setId }, "deletedId");
      const stages: { source: string; viewerReason: string | null }[] = run.approvalRequirements;
      const override = stages.find(({ source }) => source === "OVERRIDE");
      return override?.viewerReason?.includes("PLAN_APPROVE") === true ? null : wrong(stages);
    },
  };
}

/** A person is asked for after the rights in all workspaces: without one, the error names no permission. */
function exceptionProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  const refused = (name: string, permission: Permission | null, second: () => Promise<string | null>): Probe => ({
    name: `requestPolicyException ${name}`,
    async run() {
      const workspaceId = await scene.createWorkspace();
      const other = await second();
      const { setId } = await addPolicySet(scene);
      const places: Record<string, Permission[]> = {
        [organizationId]: ["POLICY_READ"],
        [workspaceId]: ["POLICY_EXCEPT", "WORKSPACE_READ"],
      };
      if (other !== null && permission !== null) places[other] = ["WORKSPACE_READ"];
      const input = {
        policySetId: setId,
        policy: "tags",
        workspaceIds: other === null ? [] : [workspaceId, other],
        reason: "It moves in May.",
        expiresAt: new Date(scene.server.deps.clock().getTime() + 60_000).toISOString(),
      };
      const answer = await walk.send(await callerWith(walk, places), "requestPolicyException", input);
      await walk.make("deletePolicySet", { policySetId: setId }, "deletedId");
      return answer.code === "FORBIDDEN" && answer.permission === permission ? null : wrong(answer);
    },
  });
  return [
    refused("of no workspace, with POLICY_EXCEPT in one alone", "POLICY_EXCEPT", async () => null),
    refused("with POLICY_EXCEPT in the first of two workspaces", "POLICY_EXCEPT", () => scene.createWorkspace()),
    refused("of a hidden workspace beside another one", null, async () => (await createHidden(walk)).id),
  ];
}

/** A refusal at the creation of a run says why to everyone who may create it, and links the set to those who may read sets. */
function denialProbes(walk: WalkScene): Probe[] {
  const { scene } = walk;
  const results = "results { policySet { id } policySetName policy rule level status message remediation }";
  const refused = (name: string, caller: () => Promise<Api>, isLinked: boolean): Probe => ({
    name: `the policy set of a denial, by ${name}`,
    async run() {
      const workspaceId = await scene.createWorkspace();
      const { setId } = await attachAtCreation(scene, workspaceId, [{ name: "deny" }]);
      const query = `mutation ($input: CreateRunInput!) { done: createRun(input: $input) { __typename
        ... on UserError { code } ... on PolicyDeniedError { ${results} } } }`;
      const { done } = await (await caller()).ask(query, { input: { workspaceId } });
      await scene.rows("update policy_set set deleted_at = now() where id = $1", setId);
      const denial = { policy: "deny", rule: "deny", level: "MANDATORY", status: "FAILED" };
      const [found] = done.results ?? [];
      const isWhole = Object.entries(denial).every(([key, value]) => found?.[key] === value);
      const link = isLinked ? setId : undefined;
      return isWhole && found.policySetName !== "" && found.policySet?.id === link ? null : wrong(done);
    },
  });
  return [
    refused("a caller with all rights", () => walk.having(allBut()), true),
    refused("a caller without POLICY_READ", () => walk.having(allBut("POLICY_READ")), false),
  ];
}

/** Another address of a check that runners ask takes as much as another pool. */
function addressProbe(walk: WalkScene): Probe {
  const { scene, organizationId } = walk;
  return {
    name: "updateExternalCheck of the address of a check with a pool, without RUNNER_CHOOSE",
    async run() {
      const pool = { organizationId, name: `pool-${randomUUID()}` };
      const { runnerPool } = await walk.make("createRunnerPool", pool, "runnerPool { id }");
      const checkId = await insertCheckRow(scene.server.deps, organizationId, {
        viaPoolId: runnerPool.id,
        selector: NONE,
      });
      const input = { checkId, url: "http://10.0.0.1/" };
      const answer = await walk.send(await walk.having(allBut("RUNNER_CHOOSE")), "updateExternalCheck", input);
      await scene.rows("update external_check set deleted_at = now() where id = $1", checkId);
      return answer.code === "FORBIDDEN" && answer.permission === "RUNNER_CHOOSE" ? null : wrong(answer);
    },
  };
}

/** Commands that send a request to an address: a caller that may not have them must not make the server send it. */
function serviceProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  const check = { organizationId, name: "scanner", stages: ["POST_APPLY"], level: "ADVISORY", selector: {} };
  const inputs: Record<string, (checkId: string, url: string) => object> = {
    createExternalCheck: (_checkId, url) => ({ ...check, url }),
    updateExternalCheck: (checkId, url) => ({ checkId, url, hmacKey: null }),
    testExternalCheck: (checkId) => ({ checkId }),
  };
  return Object.entries(inputs).map(([name, inputOf]) => ({
    name: `${name} without CHECK_WRITE sends no request`,
    async run() {
      await using service = await startRunTaskService("");
      const checkId = await insertCheckRow(scene.server.deps, organizationId, { url: service.url, selector: NONE });
      const answer = await walk.send(await walk.having(allBut("CHECK_WRITE")), name, inputOf(checkId, service.url));
      await scene.rows("update external_check set deleted_at = now() where id = $1", checkId);
      if (answer.code !== "FORBIDDEN" || answer.permission !== "CHECK_WRITE") return wrong(answer);
      return service.tests.count === 0 ? null : `${service.tests.count} requests`;
    },
  }));
}
