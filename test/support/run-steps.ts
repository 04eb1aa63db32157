/** The steps of a change, as a client takes them. Their documents are typed: a field that is renamed breaks them. */
import { type Api, waitForStatus } from "./api.ts";
import {
  ApproveRunDocument,
  type ApproveRunInput,
  type ApproveRunMutation,
  CancelRunDocument,
  type CancelRunInput,
  type CancelRunMutation,
  CreateRunDocument,
  type CreateRunInput,
  type CreateRunMutation,
  CreateWorkspaceDocument,
  type CreateWorkspaceInput,
  DiscardRunDocument,
  type DiscardRunInput,
  type DiscardRunMutation,
  type Gate,
  RejectRunDocument,
  type RejectRunInput,
  type RejectRunMutation,
  ReplanRunDocument,
  type ReplanRunInput,
  type ReplanRunMutation,
  type RunBriefFragment,
  RunRecordDocument,
  type RunRecordQuery,
  type RunRecordQueryVariables,
  type RunStatus,
  SetVariableDocument,
  type SetVariableInput,
  UnlockWorkspaceDocument,
  type UnlockWorkspaceMutation,
  WorkspaceHoldsDocument,
  type WorkspaceHoldsQuery,
} from "./generated/graphql.ts";

/** Of a folder on the server's disk. */
export function createWorkspace(api: Api, name: string, path: string): Promise<string> {
  return createWorkspaceOf(api, { name, source: { directory: { path } } });
}

export async function createWorkspaceOf(api: Api, input: CreateWorkspaceInput): Promise<string> {
  const { createWorkspace: result } = await api.ask(CreateWorkspaceDocument, { input });
  return "workspace" in result ? result.workspace.id : refused(result);
}

export async function setVariable(api: Api, input: SetVariableInput): Promise<void> {
  const { setVariable: result } = await api.ask(SetVariableDocument, { input });
  if (!("workspace" in result)) refused(result);
}

export async function createRun(api: Api, workspaceId: string, input: RunInput = {}): Promise<string> {
  const result = await tryToCreateRun(api, workspaceId, input);
  return result.__typename === "CreateRunSuccess" ? result.run.id : refused(result);
}

/** Everything about a new run but its workspace. */
export type RunInput = Omit<CreateRunInput, "workspaceId">;

/** What createRun answers, whatever it is. */
export async function tryToCreateRun(
  api: Api,
  workspaceId: string,
  input: RunInput = {},
): Promise<CreateRunMutation["createRun"]> {
  return (await api.ask(CreateRunDocument, { input: { workspaceId, ...input } })).createRun;
}

interface Inputs {
  approveRun: ApproveRunInput;
  rejectRun: RejectRunInput;
  discardRun: DiscardRunInput;
  cancelRun: CancelRunInput;
  replanRun: ReplanRunInput;
}

/** The commands about a run. */
export type Command = keyof Inputs;

export type CommandAnswer =
  | ApproveRunMutation["approveRun"]
  | RejectRunMutation["rejectRun"]
  | DiscardRunMutation["discardRun"]
  | CancelRunMutation["cancelRun"]
  | ReplanRunMutation["replanRun"];

const COMMANDS: { [C in Command]: (api: Api, input: Inputs[C]) => Promise<CommandAnswer> } = {
  approveRun: async (api, input) => (await api.ask(ApproveRunDocument, { input })).approveRun,
  rejectRun: async (api, input) => (await api.ask(RejectRunDocument, { input })).rejectRun,
  discardRun: async (api, input) => (await api.ask(DiscardRunDocument, { input })).discardRun,
  cancelRun: async (api, input) => (await api.ask(CancelRunDocument, { input })).cancelRun,
  replanRun: async (api, input) => (await api.ask(ReplanRunDocument, { input })).replanRun,
};

/** Sends a command and gives whatever is answered. */
export function tryCommand<C extends Command>(api: Api, name: C, input: Inputs[C]): Promise<CommandAnswer> {
  return COMMANDS[name](api, input);
}

/** Sends a command that must succeed, and gives the run. */
export async function command<C extends Command>(api: Api, name: C, input: Inputs[C]): Promise<RunBriefFragment> {
  const answer = await tryCommand(api, name, input);
  return "code" in answer ? refused(answer) : answer.run;
}

/** Gives the status after it. */
export async function approve(api: Api, runId: string, gate: Gate, planVersion = 1): Promise<RunStatus> {
  return (await command(api, "approveRun", { runId, gate, planVersion })).status;
}

/** Waits for the plan and takes it through both gates. */
export async function approveBoth(api: Api, runId: string): Promise<void> {
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await approve(api, runId, "PLAN");
  await approve(api, runId, "APPLY");
}

export async function unlock(
  api: Api,
  workspaceId: string,
  force: boolean,
): Promise<UnlockWorkspaceMutation["unlockWorkspace"]> {
  return (await api.ask(UnlockWorkspaceDocument, { input: { workspaceId, force } })).unlockWorkspace;
}

/** What holds a workspace. */
export async function holdsOf(api: Api, id: string): Promise<WorkspaceHoldsQuery["workspace"]> {
  return (await api.ask(WorkspaceHoldsDocument, { id })).workspace;
}

type StoredRun = NonNullable<RunRecordQuery["run"]>;

export interface RunRecord {
  version: number;
  /** Of every event, in the order of the table. */
  versions: number[];
  /** The statuses that the run went through. */
  statuses: RunStatus[];
  lines: StoredRun["log"]["edges"][number]["node"][];
  phases: StoredRun["phases"];
}

/** Everything that is stored about a run, page by page. */
export async function readRun(api: Api, runId: string): Promise<RunRecord> {
  const record: RunRecord = { version: 0, versions: [], statuses: [], lines: [], phases: [] };
  let events: string | null = null;
  let log: string | null = null;
  for (let more = true; more; ) {
    const run = await readPage(api, { id: runId, events, log });
    record.version = run.version;
    record.phases = run.phases;
    for (const { node } of run.events.edges) {
      record.versions.push(node.version);
      if ("to" in node) record.statuses.push(node.to);
    }
    for (const { node } of run.log.edges) record.lines.push(node);
    events = run.events.pageInfo.endCursor ?? events;
    log = run.log.pageInfo.endCursor ?? log;
    more = run.events.pageInfo.hasNextPage || run.log.pageInfo.hasNextPage;
  }
  return record;
}

async function readPage(api: Api, page: RunRecordQueryVariables): Promise<StoredRun> {
  const { run } = await api.ask(RunRecordDocument, page);
  if (run === null) throw new Error(`There is no run ${page.id}.`);
  return run;
}

/** 1, 2, 3 and so on. */
export function countTo(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

export function refused(result: object): never {
  throw new Error(`Refused: ${JSON.stringify(result)}`);
}
