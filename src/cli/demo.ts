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

/** A server that answers, and how to get in. */
export interface DemoServer {
  /** For example `http://127.0.0.1:4000/graphql`. */
  readonly graphqlUrl: string;
  readonly token: string;
  /** Where a person opens GraphiQL. */
  readonly graphiqlUrl: string;
  /** Where a person finds the token: a path or the name of a variable, never the token. */
  readonly tokenHint: string;
}

/** A server of the demo's own; disposing it stops it and waits until nothing of it is left. */
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
      for (const message of missing) view.say(message, "bad");
      return 1;
    }
    const running = await options.findServer();
    if (running) {
      view.say(`Using the server at ${running.graphqlUrl}.`);
      return await demonstrate(options, view, running, false);
    }
    view.say("No server is running here; starting one for the time of the demo.");
    await using started = await options.startServer();
    return await demonstrate(options, view, started, true);
  } catch (error) {
    if (!(error instanceof ClientError || error instanceof DemoError)) throw error;
    view.say(error.message, "bad");
    return 1;
  }
}

/** What must be there before anything is created. */
async function findMissing(options: DemoOptions): Promise<string[]> {
  const missing: string[] = [];
  if (!options.yes && !options.ask && !canAsk(options.input, options.output)) {
    missing.push(
      "This is not a terminal, so the demo cannot ask for approval: run it with --yes (npm run demo -- --yes).",
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
  if (!found) missing.push(`The example is not there: ${example}`);
  return missing;
}

const exampleOf = ({ examplesDir }: DemoOptions): string => join(examplesDir, "hello");

async function demonstrate(options: DemoOptions, view: LiveView, server: DemoServer, isOwn: boolean): Promise<number> {
  await using client = createClient({
    url: server.graphqlUrl,
    token: server.token,
    onRetry: () => view.say("The connection was lost; trying again.", "caution"),
    ...(options.retry && { retry: options.retry }),
  });
  const { workspace, created } = await openDemoWorkspace(client, exampleOf(options));
  view.say(`Workspace ${workspace.name} (${workspace.id})${created ? " was created." : " is there from before."}`);
  const run = await openRun(client, view, workspace);
  const ask = options.yes ? undefined : (options.ask ?? askOnTerminal(options.input, options.output));
  const end = await watchRun({ client, view, runId: run.id, ask, signal: options.signal });
  if (end === "ended") return report(client, view, workspace, run, server, isOwn);
  explainLeaving(view, end, run, server, isOwn);
  return 1;
}

/** A run that an earlier demo left at its gate is taken up again. */
async function openRun(
  client: Client,
  view: LiveView,
  workspace: WorkspaceSummaryFragment,
): Promise<RunSummaryFragment> {
  const { currentRun } = workspace;
  if (currentRun) {
    view.say(`Run ${currentRun.number} (${currentRun.id}) is not finished; going on with it.`);
    return currentRun;
  }
  const variables = { workspaceId: workspace.id, message: "npm run demo" };
  const { createRun: result } = await client.request(CreateDeployRunDocument, variables);
  switch (result.__typename) {
    case "CreateRunSuccess":
      view.say(`Run ${result.run.number} (${result.run.id}) was created.`);
      view.say("");
      return result.run;
    case "InvalidInputError":
      throw new DemoError(withIssues(result.message, result.issues));
    case "IdempotencyConflictError":
    case "StalePlanError":
    case "RunStateConflictError":
      throw new DemoError(`${result.message} (run ${result.run.number} is ${result.run.status})`);
    case "NotFoundError":
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
  if (!run) throw new DemoError("The run is gone.");
  showOutcome(view, run);
  if (run.status === "FINISHED") {
    const state = await client.request(WorkspaceOutputsDocument, { id: workspace.id });
    showOutputs(view, state.workspace?.outputs ?? []);
  }
  view.say("");
  if (isOwn) view.say('The server of the demo stops now; "npm start" brings it back with everything that happened.');
  view.say(`Look around: ${server.graphiqlUrl} with the token from ${server.tokenHint}.`);
  return run.status === "FINISHED" ? 0 : 1;
}

function explainLeaving(
  view: LiveView,
  end: Exclude<WatchEnd, "ended">,
  run: RunSummaryFragment,
  server: DemoServer,
  isOwn: boolean,
): void {
  view.say("");
  if (end === "left") view.say(`Run ${run.number} (${run.id}) waits at its gate.`, "strong");
  else if (isOwn) view.say(`Run ${run.number} (${run.id}) goes on when a server runs again.`, "strong");
  else view.say(`Run ${run.number} (${run.id}) goes on without this view.`, "strong");
  view.say(
    `${isOwn ? 'Start the server with "npm start". Then "npm run demo"' : '"npm run demo"'} goes on with it, or use ` +
      `approveRun, rejectRun and discardRun at ${server.graphiqlUrl} with the token from ${server.tokenHint}.`,
  );
}
