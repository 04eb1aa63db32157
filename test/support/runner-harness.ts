import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Job, JobMessage, JobVariable } from "../../src/ingestion/wire.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import { inheritable } from "../../src/runner/engine/engine-environment.ts";
import { startRunner } from "../../src/runner/runner.ts";
import type { Runner, RunnerOptions } from "../../src/runner/runner-options.ts";
import { FakeProtocolServer, sha256 } from "./fake-protocol-server.ts";
import { installedEngine } from "./installed-engine.ts";

/** A tar.gz of files by name. */
export async function tarGz(files: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  await pipeline(archive, createGzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

export function variable(key: string, value: string, more: Partial<JobVariable> = {}): JobVariable {
  return { key, value, sensitive: false, category: "ENGINE", hcl: false, ...more };
}

/** Engines as they are, with no bounds and nothing around them. */
const UNBOUNDED = { bounds: { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null }, prefix: [] };

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The options of a runner with real terraform, which claims from a server. */
export async function runnerOptions(
  { url, runnerToken }: { url: string; runnerToken: string },
  workDir: string,
): Promise<RunnerOptions> {
  return {
    serverUrl: url,
    token: runnerToken,
    name: "test",
    version: "0.0.0",
    labels: [],
    pool: null,
    slots: 1,
    engine: await installedEngine(),
    workDir,
    engineUid: null,
    isolation: UNBOUNDED,
    inherited: inheritable(process.env),
    log: quiet,
    clock: () => new Date(),
    randomId: () => randomBytes(16).toString("hex"),
  };
}

/** A runner with real terraform against a protocol server in memory. */
export class RunnerHarness {
  readonly server: FakeProtocolServer;
  readonly workDir: string;
  runner: Runner;
  readonly #options: RunnerOptions;

  private constructor(server: FakeProtocolServer, workDir: string, options: RunnerOptions) {
    this.server = server;
    this.workDir = workDir;
    this.#options = options;
    this.runner = startRunner(options);
  }

  static async start(options: Partial<RunnerOptions> = {}): Promise<RunnerHarness> {
    const server = await FakeProtocolServer.start();
    const workDir = await mkdtemp(join(tmpdir(), "holdpoint-runner-"));
    return new RunnerHarness(server, workDir, { ...(await runnerOptions(server, workDir)), ...options });
  }

  get options(): RunnerOptions {
    return this.#options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.runner.interrupt();
    await this.runner.done;
    await this.server[Symbol.asyncDispose]();
    await rm(this.workDir, { recursive: true, force: true });
  }

  /** Offers a plan job for a configuration; `more` changes the job. */
  async offerPlan(files: Record<string, string>, more: Partial<Job> = {}): Promise<Job> {
    this.server.source = await tarGz(files);
    const job = this.#job({ leg: "PLAN", ...more });
    this.server.offer(job);
    return job;
  }

  offerApply(plan: PlanContent, more: Partial<Job> = {}): Job {
    const { digest, engine } = plan;
    const job = this.#job({ leg: "APPLY", plan: { version: 1, digest, engine }, ...more });
    this.server.offer(job);
    return job;
  }

  async plan(files: Record<string, string>, more: Partial<Job> = {}): Promise<PlanContent> {
    await this.offerPlan(files, more);
    const message = await this.server.ended();
    if (message.type !== "planned") throw new Error(`${JSON.stringify(message, null, 2)}\n${this.server.log}`);
    return message.plan;
  }

  async apply(plan: PlanContent, more: Partial<Job> = {}): Promise<JobMessage> {
    this.offerApply(plan, more);
    return this.server.ended();
  }

  /** Plans and applies; fails where the apply does. */
  async deploy(files: Record<string, string>, more: Partial<Job> = {}): Promise<PlanContent> {
    const plan = await this.plan(files, more);
    const message = await this.apply(plan, { ...more, leg: more.run?.kind === "DESTROY" ? "DESTROY" : "APPLY" });
    if (message.type !== "applied") throw new Error(`${JSON.stringify(message, null, 2)}\n${this.server.log}`);
    return plan;
  }

  #job(more: Partial<Job>): Job {
    return {
      id: `job_${randomBytes(6).toString("hex")}`,
      token: `job-token-${randomBytes(12).toString("hex")}`,
      documentKey: "key-of-the-run",
      run: { id: "run_1", number: 1, kind: "DEPLOY" },
      workspace: { id: "ws_1", name: "test", organization: "test" },
      leg: "PLAN",
      leaseMs: 30_000,
      heartbeatMs: 100,
      nextLine: 1,
      logBytes: 0,
      targets: [],
      replace: [],
      refreshOnly: false,
      secrets: [],
      variables: [],
      source: { digest: sha256(this.server.source) },
      stateSerial: 0,
      plan: null,
      command: null,
      rollback: false,
      unlock: null,
      hooks: [],
      ...more,
    };
  }
}
