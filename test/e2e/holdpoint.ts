/** The product as a user has it: its own process, a real engine, and GraphQL as the only way in. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Api, type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

/** Real engines on a busy machine take their time; a test that waits in vain for an event ends here. */
export const PATIENCE_MS = 90_000;

export const MASTER_KEY = "5e".repeat(32);

export interface Holdpoint extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly api: Api;
  readonly database: TestDatabase;
  /** The folder below which sources may lie. */
  readonly root: string;
  /** A folder with these files below the root, and a workspace over it. */
  workspace(name: string, files: Files): Promise<TestWorkspace>;
}

export type Files = Record<string, string>;

/** Starts a server on a database of its own; each test file has one for all of its workspaces. */
export async function startHoldpoint(env: Record<string, string> = {}): Promise<Holdpoint> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-sources-")));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const server = stack.use(
    await startServerProcess({
      env: {
        DATABASE_URL: database.url,
        HOLDPOINT_SOURCE_ROOTS: root,
        HOLDPOINT_MASTER_KEY: MASTER_KEY,
        HOLDPOINT_LOG_LEVEL: "debug",
        ...env,
      },
    }),
  );
  const owned = stack.move();
  return {
    server,
    api: server.api,
    database,
    root,
    async workspace(name, files) {
      const path = join(root, name);
      await writeFiles(path, files);
      const { createWorkspace } = await server.api.ask(CREATE_WORKSPACE, { name, path });
      return new TestWorkspace(server.api, path, createWorkspace.workspace.id);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Makes a folder hold exactly these files. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** One workspace, and what users do with it. */
export class TestWorkspace {
  readonly api: Api;
  readonly path: string;
  readonly id: string;

  constructor(api: Api, path: string, id: string) {
    this.api = api;
    this.path = path;
    this.id = id;
  }

  write(files: Files): Promise<void> {
    return writeFiles(this.path, files);
  }

  async setVariable(variable: Record<string, unknown>): Promise<void> {
    const { setVariable } = await this.api.ask(SET_VARIABLE, { input: { workspaceId: this.id, ...variable } });
    if (setVariable.workspace === undefined) throw new Error(JSON.stringify(setVariable));
  }

  /** What createRun answers, whatever it is. */
  async tryToCreateRun(input: Record<string, unknown> = {}): Promise<Data> {
    return (await this.api.ask(CREATE_RUN, { input: { workspaceId: this.id, ...input } })).createRun;
  }

  async createRun(input: Record<string, unknown> = {}): Promise<string> {
    const { run, ...error } = await this.tryToCreateRun(input);
    if (run === undefined) throw new Error(JSON.stringify(error));
    return run.id;
  }

  /** A run that waits at its plan gate, with its plan. */
  async plan(input: Record<string, unknown> = {}): Promise<Data> {
    const id = await this.createRun(input);
    await waitForStatus(this.api, id, "AWAITING_PLAN_APPROVAL");
    return this.run(id);
  }

  /** Approves both gates and waits for the end. */
  async finish(id: string, planVersion = 1, end = "FINISHED"): Promise<Data> {
    for (const gate of ["PLAN", "APPLY"]) await command(this.api, "approveRun", { runId: id, gate, planVersion });
    await waitForStatus(this.api, id, end);
    return this.run(id);
  }

  /** Plans, approves, applies. */
  async deploy(input: Record<string, unknown> = {}): Promise<Data> {
    return this.finish((await this.plan(input)).id);
  }

  /** A run that ends without anybody's decision. */
  async runToEnd(input: Record<string, unknown> = {}, end = "FINISHED"): Promise<Data> {
    const id = await this.createRun(input);
    await waitForStatus(this.api, id, end);
    return this.run(id);
  }

  async run(id: string): Promise<Data> {
    return (await this.api.ask(RUN, { id })).run;
  }

  async read(): Promise<Data> {
    return (await this.api.ask(WORKSPACE, { id: this.id })).workspace;
  }

  /** All of a run's log lines. */
  async log(id: string): Promise<Data[]> {
    const query = `query ($id: ID!) { run(id: $id) { log(first: 5000) { edges { node { number phase attempt text } } } } }`;
    return (await this.api.ask(query, { id })).run.log.edges.map((edge: Data) => edge.node);
  }

  /** Until a line of the run's log contains this. */
  async waitForLine(id: string, text: string): Promise<void> {
    const query = `subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { lines { text } } } }`;
    await using batches = this.api.subscribe(query, { id });
    for await (const { runLog } of batches) {
      if (runLog.lines.some((line: Data) => line.text.includes(text))) return;
    }
    throw new Error(`The log ended without "${text}"`);
  }
}

/** Sends one of the commands about a run; it must succeed, and gives the run. */
export async function command(api: Api, name: Command, input: Record<string, unknown>): Promise<Data> {
  const answer = await tryCommand(api, name, input);
  if (answer.code !== undefined) throw new Error(JSON.stringify(answer));
  return answer.run;
}

export type Command = "approveRun" | "rejectRun" | "discardRun" | "cancelRun" | "replanRun";

/** The same, and gives whatever is answered. */
export async function tryCommand(api: Api, name: Command, input: Record<string, unknown>): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { run { ...brief } } ... on UserError { code message }
    ... on RunStateConflictError { run { ...brief } }
    ${name === "cancelRun" ? "" : "... on StalePlanError { run { ...brief } }"}
    ... on InvalidInputError { issues { path message } } } }
    fragment brief on Run { id status leg reason cancelRequested { at } }`;
  return (await api.ask(query, { input }))[name];
}

const CREATE_WORKSPACE = `mutation ($name: String!, $path: String!) {
  createWorkspace(input: { name: $name, source: { directory: { path: $path } } }) {
    ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { code message } } }`;

const SET_VARIABLE = `mutation ($input: SetVariableInput!) { setVariable(input: $input) {
  ... on SetVariableSuccess { workspace { id } } ... on UserError { code message } } }`;

const CREATE_RUN = `mutation ($input: CreateRunInput!) { createRun(input: $input) {
  ... on CreateRunSuccess { created run { id number status } } ... on UserError { code message }
  ... on IdempotencyConflictError { run { id } } ... on InvalidInputError { issues { path message } } } }`;

const RUN = `query ($id: ID!) { run(id: $id) {
  id number kind status leg outcome reason forced isTerminal requiredAction revision warnings targets
  cancelRequested { at } appliedAt finishedAt
  blockers { kind message position run { id } }
  failure { code stage category summary message evidence appliedAddresses stateUncertain retryable }
  phases { kind attempt status }
  approvals { gate decision counts planVersion planDigest }
  plan { version isCurrent } plans { ...plan } } }
  fragment plan on Plan { version digest isCurrent hasChanges complete targets text
    additions changes destructions replacements imports moves forgets
    outputChanges { name action sensitive }
    resourceChanges(first: 100) { edges { node {
      address action createBeforeDestroy imported previousAddress before after sensitivePaths unknownPaths } } } }`;

const WORKSPACE = `query ($id: ID!) { workspace(by: { id: $id }) {
  deploymentStatus lock { reason } stateLock { id } currentRun { id } outputs { name value sensitive } } }`;

/** Address and action of what a plan changes. */
export function changesOf(plan: Data): [string, string][] {
  return plan.resourceChanges.edges.map(({ node }: Data) => [node.address, node.action]);
}

/** How much of each a plan says it does; what is not given is 0. */
export function counts(given: Record<string, number> = {}): Record<string, number> {
  return { additions: 0, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0, ...given };
}

/** A resource that needs neither provider nor network. */
export const data = (name: string, body = ""): string => `resource "terraform_data" "${name}" {\n${body}\n}\n`;

export const provisioner = (command: string): string =>
  `provisioner "local-exec" {\n command = ${JSON.stringify(command)}\n}`;
