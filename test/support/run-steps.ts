/** The steps of a change, as a client takes them. */
import { type Api, type Data, waitForStatus } from "./api.ts";

export async function createWorkspace(api: Api, name: string, path: string): Promise<string> {
  const { createWorkspace: result } = await api.ask(
    `mutation ($name: String!, $path: String!) {
      createWorkspace(input: { name: $name, source: { directory: { path: $path } } }) {
        ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { code message } } }`,
    { name, path },
  );
  return result.workspace?.id ?? refused(result);
}

export async function createRun(api: Api, workspaceId: string): Promise<string> {
  const { createRun: result } = await api.ask(
    `mutation ($id: ID!) { createRun(input: { workspaceId: $id }) {
      ... on CreateRunSuccess { run { id } } ... on UserError { code message } } }`,
    { id: workspaceId },
  );
  return result.run?.id ?? refused(result);
}

/** Gives the status after it. */
export async function approve(api: Api, runId: string, gate: "PLAN" | "APPLY", planVersion = 1): Promise<string> {
  const { approveRun: result } = await api.ask(
    `mutation ($id: ID!, $gate: Gate!, $version: Int!) {
      approveRun(input: { runId: $id, gate: $gate, planVersion: $version }) {
        ... on ApproveRunSuccess { run { status } } ... on UserError { code message } } }`,
    { id: runId, gate, version: planVersion },
  );
  return result.run?.status ?? refused(result);
}

/** Waits for the plan and takes it through both gates. */
export async function approveBoth(api: Api, runId: string): Promise<void> {
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await approve(api, runId, "PLAN");
  await approve(api, runId, "APPLY");
}

export function unlock(api: Api, workspaceId: string, force: boolean): Promise<Data> {
  return api
    .ask(
      `mutation ($id: ID!, $force: Boolean!) { unlockWorkspace(input: { workspaceId: $id, force: $force }) {
        __typename ... on UnlockWorkspaceSuccess { workspace { lock { reason } stateLock { id } } }
        ... on WorkspaceLockedError { lock { reason run { id } } } } }`,
      { id: workspaceId, force },
    )
    .then((data) => data.unlockWorkspace);
}

/** What holds a workspace. */
export async function holdsOf(api: Api, workspaceId: string): Promise<Data> {
  const { workspace } = await api.ask(
    `query ($id: ID!) { workspace(by: { id: $id }) {
      lock { reason run { id } } stateLock { id run { id } } currentRun { id } } }`,
    { id: workspaceId },
  );
  return workspace;
}

export interface RunRecord {
  version: number;
  /** Of every event, in the order of the table. */
  versions: number[];
  /** The statuses that the run went through. */
  statuses: string[];
  lines: { number: number; text: string }[];
  phases: { kind: string; attempt: number; status: string }[];
}

/** Everything that is stored about a run, page by page. */
export async function readRun(api: Api, runId: string): Promise<RunRecord> {
  const record: RunRecord = { version: 0, versions: [], statuses: [], lines: [], phases: [] };
  let events: string | null = null;
  let log: string | null = null;
  for (let more = true; more; ) {
    const { run }: Data = await api.ask(
      `query ($id: ID!, $events: String, $log: String) { run(id: $id) { version
        phases { kind attempt status }
        events(first: 100, after: $events) { pageInfo { hasNextPage endCursor }
          edges { node { version ... on RunStatusChanged { to } } } }
        log(first: 5000, after: $log) { pageInfo { hasNextPage endCursor } edges { node { number text } } } } }`,
      { id: runId, events, log },
    );
    record.version = run.version;
    record.phases = run.phases;
    for (const { node } of run.events.edges) {
      record.versions.push(node.version);
      if (node.to !== undefined) record.statuses.push(node.to);
    }
    for (const { node } of run.log.edges) record.lines.push(node);
    events = run.events.pageInfo.endCursor ?? events;
    log = run.log.pageInfo.endCursor ?? log;
    more = run.events.pageInfo.hasNextPage || run.log.pageInfo.hasNextPage;
  }
  return record;
}

/** 1, 2, 3 and so on. */
export function countTo(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

function refused(result: Data): never {
  throw new Error(`Refused: ${JSON.stringify(result)}`);
}
