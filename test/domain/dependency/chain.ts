/** Workspaces that depend on one another, and the steps of their runs. */
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import type { Scene } from "../scene.ts";

const SET = `mutation ($input: SetWorkspaceDependenciesInput!) { done: setWorkspaceDependencies(input: $input) {
  __typename ... on UserError { code message } ... on InvalidInputError { issues { path message } }
  ... on DependencyCycleError { cycle { id } }
  ... on ForbiddenError { permission }
  ... on SetWorkspaceDependenciesSuccess { workspace { dependencies { upstream { id } downstream { id } trigger
    outputs { output key category } } dependents { downstream { id } } } } } }`;
const CREATE = `mutation ($input: CreateChangesetInput!) { done: createChangeset(input: $input) {
  ... on CreateChangesetSuccess { changeset { id } } ... on UserError { code message } } }`;
const READ = `query ($id: ID!) { changeset(id: $id) { id state source counts { workspaces failed applied } waves { index total ended }
  runs(first: 100) { edges { node { id status outcome reason trigger workspace { id } failure { code summary message upstreams { id } }
    blockers { kind message run { id } }
    cause { ... on DependencyCause { changedOutputs upstream { id } } } } } } } }`;

const never = new AbortController().signal;

/** A dependency as it is set; a text is the workspace upstream alone. */
export type Upstream = string | { upstreamId: string; trigger?: string; outputs?: readonly object[] };

export function chainSteps(scene: () => Scene) {
  const steps = {
    /** Does the work of the workers. */
    work: (deps: Deps = scene().server.deps) => changesetRound(deps, never),
    setDependencies: async (
      workspaceId: string,
      upstreams: readonly Upstream[],
      api: Api = scene().api,
    ): Promise<Data> => {
      const dependencies = upstreams.map((one) => (typeof one === "string" ? { upstreamId: one } : one));
      return (await api.ask(SET, { input: { workspaceId, dependencies } })).done;
    },
    workspaces: async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push(await scene().createWorkspace({ planApproval: "WHEN_REQUIRED" }));
      return ids;
    },
    /** Workspaces each of which depends on the one before it. */
    chain: async (count: number, more: object = {}): Promise<string[]> => {
      const ids = await steps.workspaces(count);
      for (let i = 1; i < count; i++) {
        await steps.setDependencies(ids[i] ?? "", [{ upstreamId: ids[i - 1] ?? "", ...more }]);
      }
      return ids;
    },
    open: async (workspaceIds: readonly string[], input: object = {}): Promise<string> => {
      const given = { organizationId: DEFAULT_ORGANIZATION_ID, title: "Chain", workspaceIds, ...input };
      const { changeset, message } = (await scene().api.ask(CREATE, { input: given })).done;
      if (changeset === undefined) throw new Error(message);
      return changeset.id;
    },
    read: async (id: string): Promise<Data> => (await scene().api.ask(READ, { id })).changeset,
    /** Plans and applies a run, with these outputs in the new state. */
    applyRun: async (runId: string, serial = 1, outputs: object = {}): Promise<FakeJob> => {
      const job = await scene().claim(runId);
      await job.plan();
      await scene().send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
      await (await scene().claim(runId)).apply(serial, "lineage", outputs);
      return job;
    },
    /** Plans and applies the newest run of a workspace in a changeset. */
    apply: async (changesetId: string, workspaceId: string, serial = 1, outputs: object = {}): Promise<FakeJob> => {
      return steps.applyRun(runIn(await steps.read(changesetId), workspaceId)?.id, serial, outputs);
    },
    /** Deploys a workspace by a run of its own. */
    deploy: async (workspaceId: string, serial = 1, outputs: object = {}): Promise<string> => {
      const runId = await scene().createRun(workspaceId);
      await steps.applyRun(runId, serial, outputs);
      return runId;
    },
  };
  return steps;
}

export const runsOf = (changeset: Data): Data[] => changeset.runs.edges.map(({ node }: Data) => node);

/** The newest run of a workspace in a changeset. */
export const runIn = (changeset: Data, workspaceId: string): Data =>
  runsOf(changeset).find(({ workspace }) => workspace.id === workspaceId);

/** The outputs of a state, as the engine writes them. */
export function outputsOf(values: Record<string, unknown>, sensitive: readonly string[] = []): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { value, type: "string", ...(sensitive.includes(name) && { sensitive: true }) },
    ]),
  );
}
