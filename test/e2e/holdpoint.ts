/** The product as a user has it: its own process, a real engine, and GraphQL as the only way in. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Api, waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  type CreateRunMutation,
  RunDetailsDocument,
  type RunDetailsQuery,
  RunLogDocument,
  type RunStatus,
  type PlanDetailsFragment,
  type SetVariableInput,
  WorkspaceDetailsDocument,
  type WorkspaceDetailsQuery,
} from "../support/generated/graphql.ts";
import {
  approve,
  createRun,
  createWorkspace,
  readRun,
  type RunInput,
  type RunRecord,
  setVariable,
  tryToCreateRun,
} from "../support/run-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

/** Real engines on a busy machine take their time; a test that waits in vain for an event ends here. */
export const PATIENCE_MS = 300_000;

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
      return new TestWorkspace(server.api, path, await createWorkspace(server.api, name, path));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Makes a folder hold exactly these files. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Everything about a variable but its workspace. */
export type VariableInput = Omit<SetVariableInput, "workspaceId">;

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

  setVariable(variable: VariableInput): Promise<void> {
    return setVariable(this.api, { workspaceId: this.id, ...variable });
  }

  /** Changes settings. */
  async update(input: Record<string, unknown>): Promise<void> {
    const query = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) {
      ... on UpdateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`;
    const { updateWorkspace } = await this.api.ask(query, { input: { workspaceId: this.id, ...input } });
    if (updateWorkspace.message !== undefined) throw new Error(updateWorkspace.message);
  }

  /** What createRun answers, whatever it is. */
  tryToCreateRun(input: RunInput = {}): Promise<CreateRunMutation["createRun"]> {
    return tryToCreateRun(this.api, this.id, input);
  }

  createRun(input: RunInput = {}): Promise<string> {
    return createRun(this.api, this.id, input);
  }

  /** A run that waits at its plan gate, with its plan. */
  plan(input: RunInput = {}): Promise<RunDetails> {
    return this.runToEnd(input, "AWAITING_PLAN_APPROVAL");
  }

  /** Approves both gates and waits for the end. */
  async finish(id: string, planVersion = 1, end: RunStatus = "FINISHED"): Promise<RunDetails> {
    await approve(this.api, id, "PLAN", planVersion);
    await approve(this.api, id, "APPLY", planVersion);
    await waitForStatus(this.api, id, end);
    return this.run(id);
  }

  /** Plans, approves, applies. */
  async deploy(input: RunInput = {}): Promise<RunDetails> {
    return this.finish((await this.plan(input)).id);
  }

  /** A run that gets there without anybody's decision. */
  async runToEnd(input: RunInput = {}, end: RunStatus = "FINISHED"): Promise<RunDetails> {
    const id = await this.createRun(input);
    await waitForStatus(this.api, id, end);
    return this.run(id);
  }

  async run(id: string): Promise<RunDetails> {
    const { run } = await this.api.ask(RunDetailsDocument, { id });
    if (run === null) throw new Error(`There is no run ${id}.`);
    return run;
  }

  async read(): Promise<WorkspaceDetails> {
    const { workspace } = await this.api.ask(WorkspaceDetailsDocument, { id: this.id });
    if (workspace === null) throw new Error(`There is no workspace ${this.id}.`);
    return workspace;
  }

  /** All of a run's log lines. */
  async log(id: string): Promise<RunRecord["lines"]> {
    return (await readRun(this.api, id)).lines;
  }

  /** Until a line of the run's log contains this. */
  async waitForLine(runId: string, text: string): Promise<void> {
    await using batches = this.api.subscribe(RunLogDocument, { runId });
    for await (const { runLog } of batches) {
      if ("lines" in runLog && runLog.lines.some((line) => line.text.includes(text))) return;
    }
    throw new Error(`The log ended without "${text}"`);
  }
}

export type RunDetails = NonNullable<RunDetailsQuery["run"]>;
type WorkspaceDetails = NonNullable<WorkspaceDetailsQuery["workspace"]>;

/** Address and action of what a plan changes. */
export function changesOf(plan: PlanDetailsFragment | undefined): [string, string][] {
  return (plan?.resourceChanges.edges ?? []).map(({ node }) => [node.address, node.action]);
}

/** How much of each a plan says it does; what is not given is 0. */
export function counts(given: Record<string, number> = {}): Record<string, number> {
  return { additions: 0, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0, ...given };
}

/** A resource that needs neither provider nor network. */
export const data = (name: string, body = ""): string => `resource "terraform_data" "${name}" {\n${body}\n}\n`;

export const provisioner = (command: string): string =>
  `provisioner "local-exec" {\n command = ${JSON.stringify(command)}\n}`;
