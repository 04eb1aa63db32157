/** Changesets over workspaces of which the caller may use some, or may no longer use one. */
import { randomUUID } from "node:crypto";
import { createNextRuns } from "../../src/domain/changeset/create-runs.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { findChangeset } from "../../src/persistence/changeset/changeset-store.ts";
import type { Api, Data } from "../support/api.ts";
import { allBut, callerWith, createProject } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

type Places = [one: readonly Permission[], other: readonly Permission[]];

/** A caller with these permissions in two projects, and a workspace in each. */
async function createPair(walk: WalkScene, [one, other]: Places): Promise<{ api: Api; workspaceIds: string[] }> {
  const projects = [await createProject(walk), await createProject(walk)] as const;
  const workspaceIds: string[] = [];
  for (const projectId of projects) workspaceIds.push(await walk.scene.createWorkspace({ projectId }));
  const given = Object.entries({ [projects[0]]: one, [projects[1]]: other });
  const api = await callerWith(walk, Object.fromEntries(given.filter(([, permissions]) => permissions.length > 0)));
  return { api, workspaceIds };
}

const inputOf = ({ organizationId }: WalkScene, workspaceIds: readonly string[]) => ({
  organizationId,
  title: "one",
  kind: "PLAN",
  workspaceIds,
});

/** Creates the runs of a changeset that wait for it. */
async function createRunsOf({ scene }: WalkScene, id: string): Promise<void> {
  const { deps } = scene.server;
  const changeset = await findChangeset(deps.database, id);
  if (changeset === null) throw new Error("There is no changeset.");
  await createNextRuns(deps, changeset);
}

/** A changeset of an administrator, with its runs. */
async function createWhole(walk: WalkScene, workspaceIds: readonly string[], kind: string): Promise<string> {
  const input = { ...inputOf(walk, workspaceIds), kind };
  const { id } = (await walk.make("createChangeset", input, "changeset { id }")).changeset;
  await createRunsOf(walk, id);
  return id;
}

/** The workspace is moved to where the callers of these probes have no rights. */
async function moveAway(walk: WalkScene, workspaceId: string): Promise<void> {
  const toProjectId = await createProject(walk);
  await walk.make("moveWorkspace", { workspaceId, toProjectId }, "workspace { id }");
}

const wrong = (answer: Data): string => JSON.stringify(answer);

export function changesetProbes(walk: WalkScene): Probe[] {
  return [...creationProbes(walk), ...decisionProbes(walk)];
}

function creationProbes(walk: WalkScene): Probe[] {
  const { scene } = walk;
  const create = (api: Api, input: object, fields?: string) => walk.send(api, "createChangeset", input, fields);
  return [
    {
      name: "createChangeset without RUN_PLAN and with a bad title",
      async run() {
        const input = { ...inputOf(walk, [await scene.createWorkspace()]), title: "" };
        const answer = await create(await walk.having(allBut("RUN_PLAN")), input);
        return answer.permission === "RUN_PLAN" ? null : wrong(answer);
      },
    },
    {
      name: "createChangeset over a workspace in which the caller may not run",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [["RUN_PLAN"], ["RUN_READ"]]);
        const answer = await create(api, inputOf(walk, workspaceIds));
        return answer.permission === "RUN_PLAN" ? null : wrong(answer);
      },
    },
    {
      name: "createChangeset with dependents of which one is hidden",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [["RUN_PLAN"], []]);
        const [upstreamId = "", workspaceId = ""] = workspaceIds;
        const depending = { workspaceId, dependencies: [{ upstreamId }] };
        await walk.make("setWorkspaceDependencies", depending, "workspace { id }");
        const answer = await create(api, { ...inputOf(walk, [upstreamId]), withDependents: true });
        return answer.__typename === "CreateChangesetSuccess" ? null : wrong(answer);
      },
    },
    {
      name: "setWorkspaceDependencies on a hidden workspace",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [allBut(), []]);
        const [workspaceId, upstreamId] = workspaceIds;
        const answer = await walk.send(api, "setWorkspaceDependencies", {
          workspaceId,
          dependencies: [{ upstreamId }],
        });
        return answer.code === "INVALID_INPUT" ? null : wrong(answer);
      },
    },
    {
      name: "setWorkspaceDependencies with outputs of a workspace whose state the caller may not read",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [allBut(), allBut("STATE_READ")]);
        const [workspaceId, upstreamId] = workspaceIds;
        const outputs = [{ output: "vpc", key: "vpc" }];
        const dependencies = [{ upstreamId, outputs }];
        const answer = await walk.send(api, "setWorkspaceDependencies", { workspaceId, dependencies });
        return answer.permission === "STATE_READ" ? null : wrong(answer);
      },
    },
    {
      name: "createChangeset again after one of its workspaces was moved away",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [["RUN_PLAN"], ["RUN_PLAN"]]);
        const input = { ...inputOf(walk, workspaceIds), idempotencyKey: randomUUID() };
        await create(api, input);
        await moveAway(walk, workspaceIds[1] ?? "");
        const answer = await create(api, input, "created changeset { counts { workspaces } }");
        return answer.created === false && answer.changeset.counts.workspaces === 1 ? null : wrong(answer);
      },
    },
    {
      name: "the runs of a changeset in a workspace that was moved away",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [["RUN_PLAN"], ["RUN_PLAN"]]);
        const { changeset } = await create(api, inputOf(walk, workspaceIds), "changeset { id }");
        await moveAway(walk, workspaceIds[1] ?? "");
        await createRunsOf(walk, changeset.id);
        const [row] = await scene.rows(
          "select count(run_id)::int as runs, count(problem)::int as problems from changeset_member where changeset_id = $1",
          changeset.id,
        );
        return row["runs"] === 1 && row["problems"] === 1 ? null : wrong(row);
      },
    },
  ];
}

function decisionProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  const OPERATION = "operation { id }";
  /** How many runs an operation is about, whether or not its caller may read them. */
  const totalOf = async (answer: Data): Promise<string | null> => {
    if (answer.operation === undefined) return wrong(answer);
    const text = "select total_count from bulk_operation where id = $1";
    const [{ total_count: total }] = await scene.rows(text, answer.operation.id);
    return total === 1 ? null : `an operation on ${total} runs`;
  };
  return [
    {
      name: "approveChangeset of which one run is hidden",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [allBut(), []]);
        const changesetId = await createWhole(walk, workspaceIds, "DEPLOY");
        const runs = await scene.rows("select id from run where changeset_id = $1", changesetId);
        for (const { id } of runs) await (await scene.claim(id)).plan();
        const read = "query ($id: ID!) { changeset(id: $id) { version planDigest } }";
        const { changeset } = await api.ask(read, { id: changesetId });
        const input = { changesetId, gate: "PLAN", ...changeset };
        return totalOf(await walk.send(api, "approveChangeset", input, OPERATION));
      },
    },
    {
      name: "discardChangeset of which the caller may cancel one run",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [allBut(), ["RUN_READ"]]);
        const changesetId = await createWhole(walk, workspaceIds, "PLAN");
        return totalOf(await walk.send(api, "discardChangeset", { changesetId }, OPERATION));
      },
    },
    {
      name: "discardChangeset without RUN_CANCEL and with a bad comment",
      async run() {
        const { workspaceIds } = await createPair(walk, [["RUN_READ"], []]);
        const changesetId = await createWhole(walk, workspaceIds, "PLAN");
        const input = { changesetId, comment: "x".repeat(LIMITS.textLength + 1) };
        const answer = await walk.send(await walk.having(allBut("RUN_CANCEL")), "discardChangeset", input);
        return answer.permission === "RUN_CANCEL" ? null : wrong(answer);
      },
    },
    {
      name: "continueChangeset of which one workspace is hidden",
      async run() {
        const { api, workspaceIds } = await createPair(walk, [allBut(), []]);
        const { changeset } = await walk.make("createChangeset", inputOf(walk, workspaceIds), "changeset { id }");
        const caller = await scene.server.domain.authenticate(api.token);
        if (caller === null) throw new Error("The token is not in force.");
        const refused = scene.server.domain.continueChangeset(caller, { changesetId: changeset.id });
        const error: Data = await refused.then(
          () => "it continues",
          (reason: unknown) => reason,
        );
        return error.details?.scopeId === organizationId ? null : wrong(error.details ?? error);
      },
    },
  ];
}
