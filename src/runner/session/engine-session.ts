import type { Job } from "../../ingestion/wire.ts";
import type { EngineIsolation } from "../engine/engine-command.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import { apiEnvironment, engineEnvironment } from "../engine/engine-environment.ts";
import { addressesIn } from "../engine/engine-event.ts";
import { CapturedOutput, EventOutput, TextOutput } from "../engine/engine-output.ts";
import { type EngineEndLimits, type EngineExit, runEngine } from "../engine/engine-process.ts";
import { TestResults } from "../engine/test-results.ts";
import { endOrphans } from "../engine/orphan-processes.ts";
import type { JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { LogShipper } from "../log/log-shipper.ts";
import { TEST_FOLDER } from "../../model/source/test-files.ts";
import type { CheckBlock } from "../../model/plan/check-block.ts";
import { checkBlocksOfState } from "../plan/check-blocks.ts";
import type { PlanJson } from "../plan/plan-json.ts";
import type { PlanTree } from "../plan/plan-tree.ts";
import { EngineProgress, managedInstances } from "../progress/engine-progress.ts";
import type { ProgressShipper } from "../progress/progress-shipper.ts";
import type { StateAccess } from "../state/state-backend.ts";
import type { ReportContext } from "./failure-report.ts";
import { readShownPlan } from "./plan-description.ts";
import { type BackendContext, openEngineBackend, confirmedOrStopped } from "./session-backend.ts";

/** How the engines of a slot are started. */
export interface EngineOptions {
  /** User id of the slot's engines; `null`: the runner's own user. */
  engineUid: number | null;
  isolation: EngineIsolation;
  /** The server as the runner reaches it. */
  serverUrl: string;
  /** Environment of the runner that the engine may see. */
  inherited: Readonly<Record<string, string>>;
  /** The slot's own, because parallel inits in one cache disturb each other. `null` without an engine. */
  pluginCache: string | null;
  /** Environment for the collector of the engine's garbage. */
  collector: Readonly<Record<string, string>>;
}

/** The job that an engine works for. */
export interface SessionContext extends BackendContext, ReportContext {
  job: Pick<Job, "leg" | "runToken" | "stateSerial" | "targets" | "variables">;
  engines: EngineOptions;
  limits: BackendContext["limits"] &
    ReportContext["limits"] &
    EngineEndLimits &
    Pick<RunnerLimits, "engineLineBytes" | "logLineBytes" | "planJsonBytes" | "planTextBytes">;
  folder: JobFolder;
  log: LogShipper;
  progress: ProgressShipper;
}

/** The result of an engine command, and its view of the state. */
export interface EngineResult extends EngineExit {
  /** Text on stderr: errors outside of the JSON stream. */
  stderr: string;
  lockRefused: boolean;
  /** Serial of the state that it read; 0 if there was none. */
  stateSerial: number;
}

const SHELL = "/bin/sh";
/** PATH of a shell if the environment sets none. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
/**
 * Ends a shell after its engine. The shell receives SIGINT together with the engine. With this trap every shell waits until
 * the engine has saved its state, then ends. Without it bash continues with the next command.
 */
const END_AFTER_THE_ENGINE = "trap 'exit 130' INT; ";

interface Handlers {
  onStdout: (chunk: Buffer) => Promise<void> | void;
}

interface Program {
  path: string;
  /** A folder to put first in PATH. */
  tools?: string;
  /** Further variables of its environment. */
  more?: Readonly<Record<string, string>>;
  /** Whether another command runs at the same time: then orphans are ended after both. */
  parallel?: boolean;
}

/** Runs the engine in the folder of one job. Each command gets a state backend with a password of its own. */
export class EngineSession {
  readonly #context: SessionContext;
  readonly #engine: FoundEngine;
  /** Progress of a plan, which counts refreshed resources. */
  #counted: EngineProgress | null = null;
  #leftOrphans = false;
  #checkBlocks: readonly CheckBlock[] = [];
  #confirmed: Promise<void> = Promise.resolve();
  #parallelCount = 0;

  constructor(context: SessionContext, engine: FoundEngine) {
    this.#context = context;
    this.#engine = engine;
  }

  /** Whether a command left processes that had to be ended: their last changes are unknown. */
  get leftOrphans(): boolean {
    return this.#leftOrphans;
  }

  /** The check blocks of the newest state that an apply read or wrote, not masked. */
  get appliedCheckBlocks(): readonly CheckBlock[] {
    return this.#checkBlocks;
  }

  /** Holds back output and state requests of later commands until the server has confirmed a phase. */
  waitFor(confirmed: Promise<void>): void {
    this.#confirmed = confirmed;
    // Every command awaits it and throws its failure.
    confirmed.catch(() => undefined);
  }

  /** Runs init, which writes text to both outputs. */
  async init(args: string[] = []): Promise<EngineResult & { text: string }> {
    const output = this.#textOutput();
    const handlers = { onStdout: (chunk: Buffer) => output.take(chunk) };
    const result = await this.#run(["init", "-input=false", "-no-color", ...args], "READ", handlers);
    await output.finish();
    return { ...result, text: [result.stderr, output.text].find((text) => text.includes("Error")) ?? output.text };
  }

  async plan(args: string[], access: StateAccess): Promise<{ result: EngineResult; output: EventOutput }> {
    const { folder, job } = this.#context;
    const fixed = ["plan", "-input=false", "-json", "-detailed-exitcode", `-out=${folder.planFile}`];
    const progress = new EngineProgress(null);
    // Nothing to refresh. A state that is read later raises the number.
    if (job.stateSerial === 0 && job.targets.length === 0) progress.expect(0);
    return this.#events("plan", [...fixed, ...args], access, progress);
  }

  /** Applies the saved plan. `operations`: those of the plan, by address. */
  async apply(operations: ReadonlyMap<string, number>): Promise<{ result: EngineResult; output: EventOutput }> {
    const args = ["apply", "-input=false", "-json", this.#context.folder.planFile];
    return this.#events("apply", args, "WRITE", new EngineProgress(operations));
  }

  /** Runs the tests of the configuration. The folder of tests is named, so that no variable names another one. */
  async test(): Promise<{ result: EngineResult; output: EventOutput; results: TestResults }> {
    const { log, limits, masker } = this.#context;
    const results = new TestResults();
    const output = new EventOutput(log, "test", limits.engineLineBytes, (event) => {
      masker.addAddresses(addressesIn(event));
      results.note(event);
    });
    const args = ["test", "-json", `-test-directory=${TEST_FOLDER}`];
    const result = await this.#run(args, "READ", { onStdout: (chunk: Buffer) => output.take(chunk) });
    await output.finish();
    return { result, output, results };
  }

  /** Gives the engine's description of the saved plan, with sensitive values in clear. */
  async showJson(): Promise<PlanJson> {
    const text = await this.#capture(["show", "-json", this.#context.folder.planFile], "planJsonBytes");
    return readShownPlan(this.#context, text).plan;
  }

  /** Gives the description of the saved plan as JSON, read and as a whole, and as text. */
  async show(): Promise<{ plan: PlanJson; whole: PlanTree; text: string }> {
    const { folder, engines } = this.#context;
    const args = ["show", "-no-color", folder.planFile];
    // A prefix may not allow two at a time, such as a container with a fixed name.
    if (engines.isolation.prefix.length > 0) {
      const json = await this.#capture(["show", "-json", folder.planFile], "planJsonBytes");
      return { ...readShownPlan(this.#context, json), text: await this.#capture(args, "planTextBytes") };
    }
    const both = [
      this.#capture(["show", "-json", folder.planFile], "planJsonBytes", true),
      this.#capture(args, "planTextBytes", true),
    ] as const;
    await Promise.allSettled(both);
    await this.#endOrphans();
    const [json, text] = await Promise.all(both);
    return { ...readShownPlan(this.#context, json), text };
  }

  /** Runs a shell command of a person, with this engine first in PATH. `more`: further variables. */
  async perform(
    command: string,
    access: StateAccess = "WRITE",
    more: Readonly<Record<string, string>> = {},
  ): Promise<EngineResult & { text: string }> {
    const { folder } = this.#context;
    await folder.makeTool(this.#engine.name, this.#engine.path);
    const output = this.#textOutput();
    const shell = { path: SHELL, tools: folder.tools, more };
    const handlers = { onStdout: (chunk: Buffer) => output.take(chunk) };
    const result = await this.#run(["-c", END_AFTER_THE_ENGINE + command], access, handlers, shell);
    await output.finish();
    return { ...result, text: result.stderr.trim() === "" ? output.text : result.stderr };
  }

  async #events(command: "plan" | "apply", args: string[], access: StateAccess, counted: EngineProgress) {
    const { log, limits, masker, progress } = this.#context;
    void this.#confirmed.then(
      () => {
        this.#counted = command === "plan" ? counted : null;
        progress.begin(counted);
      },
      () => undefined,
    );
    const output = new EventOutput(log, command, limits.engineLineBytes, (event) => {
      masker.addAddresses(addressesIn(event));
      progress.note(event);
    });
    const handlers = { onStdout: (chunk: Buffer) => output.take(chunk) };
    const result = await this.#run(args, access, handlers);
    await output.finish();
    progress.end();
    return { result, output };
  }

  async #capture(args: string[], limit: "planJsonBytes" | "planTextBytes", parallel = false): Promise<string> {
    const output = new CapturedOutput(this.#context.limits[limit]);
    const { path } = this.#engine;
    const result = await this.#run(args, "READ", { onStdout: (chunk) => output.take(chunk) }, { path, parallel });
    this.#context.control.throwIfStopped();
    if (output.tooLarge) throw new Error("The description of the plan is too large");
    if (result.code !== 0) throw new Error(`The engine could not describe the plan: ${result.stderr.trim()}`);
    return output.text;
  }

  async #run(
    args: string[],
    access: StateAccess,
    handlers: Handlers,
    { path, tools, more = {}, parallel = false }: Program = this.#engine,
  ): Promise<EngineResult> {
    const { engines, limits, control, folder, job, log, masker } = this.#context;
    const { pluginCache, collector } = engines;
    const confirmed = this.#confirmed;
    const permitted = confirmedOrStopped(confirmed, control.stop);
    await using backend = await openEngineBackend(this.#context, {
      access,
      permitted,
      onState: (state) => {
        if (access === "WRITE") this.#checkBlocks = checkBlocksOfState(state);
        // With targets, only some resources are refreshed.
        if (job.targets.length === 0) this.#counted?.expect(managedInstances(state));
      },
    });
    masker.add([backend.password]);
    const folders = { home: folder.home, tmp: folder.tmp, pluginCache };
    const api = apiEnvironment(engines.serverUrl, job);
    const own = { collector, backend: backend.environment, api };
    const environment = engineEnvironment(engines.inherited, job.variables, folders, own);
    Object.assign(environment, more);
    if (tools !== undefined) environment["PATH"] = `${tools}:${environment["PATH"] ?? DEFAULT_PATH}`;
    const stderr = this.#textOutput("STDERR");
    const relax = () => log.dropWhenFull();
    control.stop.addEventListener("abort", relax, { once: true });
    const running = runEngine({
      path,
      args,
      cwd: folder.engineFolder,
      environment,
      uid: engines.engineUid,
      isolation: engines.isolation,
      paths: { folder: folder.path, work: folder.engineFolder, cache: pluginCache },
      pidFile: parallel ? folder.numberedEngineFile((this.#parallelCount += 1)) : folder.engineFile,
      control,
      limits,
      onStdout: async (chunk) => {
        await confirmed;
        await handlers.onStdout(chunk);
      },
      onStderr: async (chunk) => {
        await confirmed;
        await stderr.take(chunk);
      },
    });
    const ended = parallel ? running : this.#endWithOrphans(running);
    let exit: EngineExit;
    try {
      exit = await ended;
      // The log is sent while the state is settled.
      void log.flush();
    } finally {
      control.stop.removeEventListener("abort", relax);
      await confirmed;
    }
    await permitted;
    await stderr.finish();
    if (access !== "WRITE") await this.#dropState();
    return { ...exit, stderr: stderr.text, lockRefused: backend.lockRefused, stateSerial: backend.readSerial };
  }

  async #endWithOrphans(running: Promise<EngineExit>): Promise<EngineExit> {
    try {
      return await running;
    } finally {
      await this.#endOrphans();
    }
  }

  /** Ends processes that detached from the engine. */
  async #endOrphans(): Promise<void> {
    const { engines, folder, runnerLog } = this.#context;
    const pids = await endOrphans(folder, engines.engineUid);
    if (pids.length === 0) return;
    this.#leftOrphans = true;
    runnerLog.warn({ pids }, "Processes outlived their engine and were ended");
  }

  /** Removes the errored state of a read-only command: a later apply would take it for its own. */
  async #dropState(): Promise<void> {
    const { folder, log } = this.#context;
    if (!(await folder.removeErroredState())) return;
    await log.write("Removed errored.tfstate: this phase may not write the state.");
  }

  /** Keeps more of a line than the log takes, so that a value across the cut is found and masked. */
  #textOutput(stream: "STDOUT" | "STDERR" = "STDOUT"): TextOutput {
    const { log, masker, limits } = this.#context;
    const keepBytes = Math.min(limits.engineLineBytes, limits.logLineBytes + masker.longest * 8);
    return new TextOutput(log, keepBytes, limits.failureTextBytes, stream);
  }
}
