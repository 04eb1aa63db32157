/** Checks for drift by a schedule, with runners whose plans a test writes. */
import { expect } from "vitest";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { ResourceDrift } from "../../src/model/plan/resource-drift.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import type { Scene } from "../domain/scene.ts";
import type { Data } from "./api.ts";
import { NO_FACTS } from "./resource-changes.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;

export const change = (address: string, action: string) => ({
  address,
  type: "terraform_data",
  name: "a",
  module: null,
  action,
  createBeforeDestroy: null,
  previousAddress: null,
  imported: false,
  before: null,
  after: null,
  sensitivePaths: [],
  unknownPaths: [],
  ...NO_FACTS,
});
export const differs = (...addresses: string[]): Partial<PlanContent> =>
  ({
    hasChanges: true,
    counts: {
      additions: 0,
      changes: addresses.length,
      destructions: 0,
      replacements: 0,
      imports: 0,
      moves: 0,
      forgets: 0,
    },
    resourceChanges: addresses.map((address) => change(address, "UPDATE")),
    outputChanges: [],
  }) as Partial<PlanContent>;
/** A plan that would change nothing. */
export const SAME = { ...differs(), hasChanges: false };

export const outside = (address: string, more: Partial<ResourceDrift> = {}): ResourceDrift => ({
  address,
  type: "terraform_data",
  action: "UPDATE",
  paths: ["size"],
  relevant: true,
  before: { size: 1 },
  after: { size: 2 },
  sensitivePaths: [],
  ...more,
});
/** The fields of a report. */
export const REPORT = `id result resourceCount outputCount ignoredCount fingerprint acknowledgement { note until by { name } }
  reconciledBy { id } resources(first: 5) { edges { node { address change plannedAction paths } } }`;

/** Returns the steps of a scene, which may be opened later. */
export function driftSteps(open: () => Scene) {
  let serial = 0;

  async function send(name: string, input: object, fields: string): Promise<Data> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
    return (await open().api.ask(query, { input }))[name];
  }

  async function schedule(workspaceId: string, action = "DETECT_DRIFT"): Promise<string> {
    const input = { organizationId, workspaceId, name: "drift", cron: "0 3 * * *", action };
    return (await send("createSchedule", input, "schedule { id }")).schedule.id;
  }

  /** Runs a schedule now; gives its run, or why there is none. */
  async function runNow(scheduleId: string): Promise<{ runId: string } | { message: string }> {
    const answer = await send("runScheduleNow", { scheduleId }, "changeset { id }");
    if (answer.code !== undefined) return { message: answer.message };
    await changesetRound(open().server.deps, new AbortController().signal);
    const [row] = await open().rows("select run_id from changeset_member where changeset_id = $1", answer.changeset.id);
    return { runId: row?.run_id };
  }
  async function check(scheduleId: string): Promise<string> {
    const answer = await runNow(scheduleId);
    if ("message" in answer) throw new Error(answer.message);
    return answer.runId;
  }

  /** Approves the plan of a run, and applies it. */
  async function finish(runId: string): Promise<void> {
    for (const gate of ["PLAN", "APPLY"]) await open().quick("approveRun", { runId, gate, planVersion: 1 });
    serial += 1;
    await (await open().claim(runId)).apply(serial);
  }
  /** Brings a run to its end. */
  async function apply(runId: string): Promise<void> {
    await (await open().claim(runId)).plan();
    await finish(runId);
    expect((await open().run(runId, "outcome")).outcome).toBe("APPLIED");
  }
  async function applied(input: object = {}): Promise<string> {
    const workspaceId = await open().createWorkspace({ labels: ["drift"] });
    await apply(await open().createRun(workspaceId, input));
    return workspaceId;
  }

  async function reportOf(workspaceId: string): Promise<Data> {
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { driftReport { ${REPORT} } } }`;
    return (await open().api.ask(query, { id: workspaceId })).workspace.driftReport;
  }
  async function statusOf(workspaceId: string): Promise<string> {
    const query = "query ($id: ID!) { workspace(by: { id: $id }) { driftStatus } }";
    return (await open().api.ask(query, { id: workspaceId })).workspace.driftStatus;
  }
  async function driftOf(workspaceId: string): Promise<Data> {
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { drift { foundAt resources outputs run { id } } } }`;
    return (await open().api.ask(query, { id: workspaceId })).workspace.drift;
  }
  async function shownRuns(workspaceId: string): Promise<string[]> {
    const lists = `query ($id: ID!) { workspace(by: { id: $id }) { runs { edges { node { id } } } }
      runs(filter: { workspaceId: $id }) { totalCount edges { node { id } } } all: runs { edges { node { id } } } }`;
    const { workspace, runs, all } = await open().api.ask(lists, { id: workspaceId });
    const ids = (list: Data): string[] => list.edges.map(({ node }: Data) => node.id);
    expect(ids(runs)).toEqual(ids(workspace.runs));
    expect(runs.totalCount).toBe(ids(runs).length);
    return ids(workspace.runs).filter((id) => ids(all).includes(id));
  }

  return { send, schedule, runNow, check, finish, apply, applied, reportOf, statusOf, driftOf, shownRuns };
}
