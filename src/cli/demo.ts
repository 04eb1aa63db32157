import { access } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { type Client, createClient } from "../client/client.ts";
import { ClientError } from "../client/errors.ts";
import {
  CreateDeployRunDocument,
  RunOutcomeDocument,
  type RunSummaryFragment,
  WorkspaceOutputsDocument,
  type WorkspaceSummaryFragment,
} from "../client/generated/graphql.ts";
import type { RetrySettings } from "../client/socket.ts";
import { DemoError, withIssues } from "./demo-error.ts";
import { openDemoWorkspace, unknownAnswer } from "./demo-workspace.ts";
import { type AskAtGate, askOnTerminal } from "./gate-prompt.ts";
import { createLiveView, type LiveView } from "./live-view.ts";
import { showOutcome, showOutputs } from "./run-report.ts";
import { canAsk, type TerminalInput, type TerminalOutput } from "./terminal.ts";
import { type WatchEnd, watchRun } from "./watch-run.ts";

/** A server that answers, with its addresses and a token. */
export interface DemoServer {
  /** For example `http://127.0.0.1:4000/graphql`. */
  readonly graphqlUrl: string;
  readonly token: string;
  /** Where a person opens GraphiQL. */
  readonly graphiqlUrl: string;
  /** Where a person finds the token: a path or the name of a variable, never the token. */
  readonly tokenHint: string;
}

/** A server that the demo started. Disposing it stops it and waits for its end. */
export type StartedServer = DemoServer & AsyncDisposable;

export interface DemoOptions {
  /** Approve at every gate without asking. */
  readonly yes: boolean;
  /** The folder that contains `hello`. */
  readonly examplesDir: string;
  /** Name and version of the engine that runs would use; undefined where there is none. */
  findEngine(): Promise<string | undefined>;
  /** The server that runs on this data folder, if any. */
  findServer(): Promise<DemoServer | undefined>;
  startServer(): Promise<StartedServer>;
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  /** Aborts when the process is asked to end while the run is shown. */
  readonly signal: AbortSignal;
  /** Another way to ask; the terminal if absent. */
  readonly ask?: AskAtGate;
  /** How dropped streams are tried again; the client's own policy if absent. */
  readonly retry?: RetrySettings;
}

/**
 * Takes the example through one run and shows it live.
 *
 * @returns the exit code: 0 when the run ended FINISHED, else 1
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  using view = createLiveView({ output: options.output, now: () => performance.now() });
  try {
    const missing = await findMissing(options);
    if (missing.length > 0) {
      for (const message of missing) view.print(message, "bad");
      return 1;
    }
    const running = await options.findServer();
    if (running) {
      view.print(`Using the server at ${running.graphqlUrl}.`);
      return await demonstrate(options, view, running, false);
    }
    view.print("No server is running here. The demo starts one and stops it at the end.");
    await using started = await options.startServer();
    return await demonstrate(options, view, started, true);
  } catch (error) {
    if (!(error instanceof ClientError || error instanceof DemoError)) throw error;
    view.print(error.message, "bad");
    return 1;
  }
}

/** Lists what is missing, before anything is created. */
async function findMissing(options: DemoOptions): Promise<string[]> {
  const missing: string[] = [];
  if (!options.yes && !options.ask && !canAsk(options.input, options.output)) {
    missing.push(
      "This is not a terminal, so the demo cannot ask for approval: run it with --yes: npm run demo -- --yes",
    );
  }
  if ((await options.findEngine()) === undefined) {
    missing.push(
      "No engine was found. Install Terraform (https://developer.hashicorp.com/terraform/install) or OpenTofu " +
        "(https://opentofu.org/docs/intro/install), or name one with HOLDPOINT_ENGINE.",
    );
  }
  const example = exampleOf(options);
  const found = await access(example).then(
    () => true,
    () => false,
  );
  if (!found) missing.push(`The example is missing: ${example}`);
  return missing;
}

const exampleOf = ({ examplesDir }: DemoOptions): string => join(examplesDir, "hello");

async function demonstrate(options: DemoOptions, view: LiveView, server: DemoServer, isOwn: boolean): Promise<number> {
  await using client = createClient({
    url: server.graphqlUrl,
    token: server.token,
    onRetry: () => view.print("The connection was lost. Trying again.", "caution"),
    ...(options.retry && { retry: options.retry }),
  });
  const { workspace, created } = await openDemoWorkspace(client, exampleOf(options));
  view.print(`Workspace ${workspace.name} (${workspace.id})${created ? " was created." : " exists already."}`);
  const run = await openRun(client, view, workspace);
  const ask = options.yes ? undefined : (options.ask ?? askOnTerminal(options.input, options.output));
  const end = await watchRun({ client, view, runId: run.id, ask, signal: options.signal });
  if (end === "ended") return await report(client, view, workspace, run, server, isOwn);
  explainLeaving(view, end, run, server, isOwn);
  return 1;
}

/** Creates a run, or continues one that an earlier demo left at its gate. */
async function openRun(
  client: Client,
  view: LiveView,
  workspace: WorkspaceSummaryFragment,
): Promise<RunSummaryFragment> {
  const { currentRun } = workspace;
  if (currentRun) {
    view.print(`Run ${currentRun.number} (${currentRun.id}) is not finished; the demo continues it.`);
    return currentRun;
  }
  const variables = { workspaceId: workspace.id, message: "npm run demo" };
  const { createRun: result } = await client.request(CreateDeployRunDocument, variables);
  switch (result.__typename) {
    case "CreateRunSuccess":
      view.print(`Run ${result.run.number} (${result.run.id}) was created.`);
      view.print("");
      return result.run;
    case "InvalidInputError":
      throw new DemoError(withIssues(result.message, result.issues));
    case "IdempotencyConflictError":
    case "StalePlanError":
    case "RunStateConflictError":
      throw new DemoError(`${result.message} (run ${result.run.number} is ${result.run.status})`);
    case "NotFoundError":
    case "PolicyDeniedError":
    case "ForbiddenError":
      throw new DemoError(`The run cannot be created: ${result.message}`);
    default:
      throw unknownAnswer(result);
  }
}

async function report(
  client: Client,
  view: LiveView,
  workspace: WorkspaceSummaryFragment,
  { id }: RunSummaryFragment,
  server: DemoServer,
  isOwn: boolean,
): Promise<number> {
  const { run } = await client.request(RunOutcomeDocument, { id });
  if (!run) throw new DemoError("The run does not exist any more.");
  showOutcome(view, run);
  if (run.status === "FINISHED") {
    const state = await client.request(WorkspaceOutputsDocument, { id: workspace.id });
    showOutputs(view, state.workspace?.outputs ?? []);
  }
  view.print("");
  if (isOwn) view.print('The server of the demo stops now. "npm start" starts it again with this run.');
  view.print(`GraphiQL: ${server.graphiqlUrl} with the token from ${server.tokenHint}.`);
  return run.status === "FINISHED" ? 0 : 1;
}

function explainLeaving(
  view: LiveView,
  end: Exclude<WatchEnd, "ended">,
  run: RunSummaryFragment,
  server: DemoServer,
  isOwn: boolean,
): void {
  view.print("");
  if (end === "left") view.print(`Run ${run.number} (${run.id}) waits at its gate.`, "strong");
  else if (isOwn) view.print(`Run ${run.number} (${run.id}) continues when a server runs again.`, "strong");
  else view.print(`Run ${run.number} (${run.id}) continues without this view.`, "strong");
  view.print(
    `${isOwn ? 'Start the server with "npm start". Then "npm run demo"' : '"npm run demo"'} continues it, or use ` +
      `approveRun, rejectRun and discardRun at ${server.graphiqlUrl} with the token from ${server.tokenHint}.`,
  );
}
