/** A runner that says whatever it likes, in any order and several things at once, to one real server. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { JOB_ERROR_CODES } from "../../src/domain/job/job-error.ts";
import { type JobRouteName, ROUTE_ACTIONS } from "../../src/ingestion/job-routes.ts";
import { NO_SCAN } from "../../src/model/run/scan.ts";
import { NO_TESTS } from "../../src/model/run/test-report.ts";
import { EXECUTED_PHASES } from "../../src/model/run/phase.ts";
import { report, type Scene } from "../domain/scene.ts";
import { claim, type FakeJob, fakePlan, type MessageBody, type ProtocolAnswer } from "./fake-runner.ts";

/** What is random about a step, so that a failure can be read and made smaller. */
export type Step =
  | { do: "claim"; again: boolean }
  | { do: "message"; job: number; type: MessageBody["type"]; offset: number }
  | { do: "log"; job: number; phase: (typeof EXECUTED_PHASES)[number]; offset: number; texts: string[] }
  | { do: "archive" | "heartbeat" | "lock" | "unlock"; job: number; name: string }
  | { do: "state"; job: number; name: string; serial: number; lineage: string }
  | { do: "garbage"; job: number; route: JobRouteName; body: unknown; token: "own" | "other" | "none" }
  | { do: "approve" | "cancel" | "create" | "free" | "late" };

const job = fc.nat({ max: 3 });
const name = fc.constantFrom("a", "b");
const offset = fc.constantFrom(0, 0, 0, 0, -1, 1, 5, -100);
const text = fc.oneof(
  fc.constantFrom("", "a\nb", "\0", "\ud83d", "\\u0000", "x".repeat(70_000), "\u001b[31m"),
  fc.string({ maxLength: 20 }),
);
const MESSAGES = [
  "restored",
  "prepared",
  "testing",
  "tested",
  "scanned",
  "initialized",
  "planned",
  "applied",
  "performed",
  "failed",
  "stopped",
  "timedOut",
  "handedBack",
] as const satisfies MessageBody["type"][];
const ROUTES = Object.keys(ROUTE_ACTIONS) as JobRouteName[];

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("claim" as const), again: fc.boolean() }) },
  {
    weight: 8,
    // The truth comes up often, so that runs get somewhere.
    arbitrary: fc.record({
      do: fc.constant("message" as const),
      job,
      type: fc.constantFrom("prepared", "initialized", "planned", "applied", ...MESSAGES),
      offset,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("log" as const),
      job,
      phase: fc.constantFrom(...EXECUTED_PHASES),
      offset,
      texts: fc.array(text, { maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("archive" as const, "heartbeat" as const, "lock" as const, "unlock" as const),
      job,
      name,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("state" as const),
      job,
      name,
      serial: fc.oneof(fc.nat({ max: 6 }), fc.constantFrom(-1, 1.5, 2 ** 52, 2 ** 53)),
      lineage: fc.constantFrom("line", "line", "line", "other", ""),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("garbage" as const),
      job,
      route: fc.constantFrom(...ROUTES),
      body: fc.jsonValue({ maxDepth: 2 }),
      token: fc.constantFrom("own" as const, "other" as const, "none" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "approve" as const,
        "approve" as const,
        "cancel" as const,
        "create" as const,
        "free" as const,
        "late" as const,
      ),
    }),
  },
);

const REFUSED = new Set<string>(JOB_ERROR_CODES);
const AT = "2026-11-20T16:07:25.447Z";

/** One workspace with whoever works in it. */
export class LyingRunner {
  readonly #scene: Scene;
  readonly #workspaceId: string;
  readonly #jobs: FakeJob[] = [];
  #runId: string;
  #claimId = randomUUID();
  /** Refusals of requests that had a job's token, each of which must be recorded; without heartbeats of a job that is over. */
  refused = 0;
  readonly statuses: number[] = [];

  private constructor(scene: Scene, workspaceId: string, runId: string) {
    this.#scene = scene;
    this.#workspaceId = workspaceId;
    this.#runId = runId;
  }

  static async start(scene: Scene): Promise<LyingRunner> {
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.createRun(workspaceId);
    const liar = new LyingRunner(scene, workspaceId, runId);
    await liar.take({ do: "claim", again: false });
    return liar;
  }

  async take(step: Step): Promise<void> {
    if (step.do === "claim") return this.#claim(step.again);
    if ("job" in step) {
      const job = this.#jobs[step.job % Math.max(1, this.#jobs.length)];
      if (job !== undefined) this.#note(step, await this.#say(job, step));
      return;
    }
    await this.#order(step.do);
  }

  async #claim(again: boolean): Promise<void> {
    if (!again) this.#claimId = randomUUID();
    const { url, runnerToken } = this.#scene.server;
    const job = await claim(url, runnerToken, this.#claimId);
    if (job !== null && !this.#jobs.some((known) => known.job.id === job.job.id)) this.#jobs.unshift(job);
  }

  #note(step: Step, { status, body }: ProtocolAnswer): void {
    this.statuses.push(status);
    if (status < 400 || status === 401 || (step.do === "garbage" && step.token === "none")) return;
    // Recorded only where the lease has run out: it may have crossed what ended the job.
    const beats = step.do === "heartbeat" || (step.do === "garbage" && step.route === "POST heartbeat");
    if (beats && body?.code === "JOB_OVER") return;
    const holder = !REFUSED.has(body?.code);
    // Who has the lock is told, which is no refusal; that somebody gives back another's lock is one.
    const taking = step.do === "lock" || (step.do === "garbage" && step.route === "POST state/lock");
    if (!(holder && taking)) this.refused += 1;
  }

  async #say(job: FakeJob, step: Extract<Step, { job: number }>): Promise<ProtocolAnswer> {
    switch (step.do) {
      case "message":
        return this.#message(job, step.type, step.offset);
      case "log": {
        const lines = step.texts.map((line) => ({ at: AT, text: line }));
        const firstLine = job.nextLine + step.offset;
        const answer = await job.sendLog({ phase: step.phase, firstLine, lines });
        if (answer.status === 200) job.nextLine = answer.body.nextLine;
        return answer;
      }
      case "archive":
        return job.request("PUT", "archive", Buffer.from(step.name));
      case "heartbeat":
        return job.heartbeat();
      case "lock":
        return job.lockState(step.name);
      case "unlock":
        return job.unlockState(step.name);
      case "state":
        return job.writeState(step.name, { version: 4, serial: step.serial, lineage: step.lineage, outputs: {} });
      case "garbage": {
        const [method = "", path = ""] = step.route.split(" ");
        const other = this.#jobs.find((each) => each !== job) ?? job;
        const token = { own: job.job.token, other: other.job.token, none: "hpj_x" }[step.token];
        const body = method === "GET" ? undefined : step.body;
        // What is no JSON is a source or an archive.
        return job.request(method, path, body, token).catch(() => ({ status: 200, body: null }));
      }
    }
  }

  async #message(job: FakeJob, type: MessageBody["type"], offset: number): Promise<ProtocolAnswer> {
    const bodies: Record<MessageBody["type"], () => MessageBody> = {
      restored: () => ({ type: "restored" }),
      prepared: () => ({ type: "prepared" }),
      testing: () => ({ type: "testing" }),
      tested: () => ({ type: "tested", tests: NO_TESTS }),
      scanned: () => ({ type: "scanned", scan: NO_SCAN }),
      initialized: () => ({ type: "initialized" }),
      performed: () => ({ type: "performed" }),
      handedBack: () => ({ type: "handedBack" }),
      planned: () => ({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) }),
      applied: () => ({ type: "applied", appliedAddresses: [] }),
      failed: () => ({ type: "failed", failure: report("PLAN_FAILED") }),
      stopped: () => ({ type: "stopped" }),
      timedOut: () => ({ type: "timedOut", failure: report("RUN_TIMED_OUT") }),
    };
    const answer = await job.message(bodies[type](), job.sequence + 1 + offset);
    if (answer.status === 200 && offset === 0) job.sequence += 1;
    return answer;
  }

  /** What people and time do; it may be refused. */
  async #order(what: "approve" | "cancel" | "create" | "free" | "late"): Promise<void> {
    const runId = this.#runId;
    if (what === "late") {
      this.#scene.server.advance(31_000);
      await loseExpiredLeases(this.#scene.server.deps);
    } else if (what === "free") {
      await this.#scene.send("unlockWorkspace", { workspaceId: this.#workspaceId, force: true });
    } else if (what === "cancel") {
      await this.#scene.send("cancelRun", { runId });
    } else if (what === "create") {
      this.#runId = await this.#scene.createRun(this.#workspaceId);
    } else {
      const { status, plan } = await this.#scene.run(runId);
      const gate = { AWAITING_PLAN_APPROVAL: "PLAN", AWAITING_APPLY_APPROVAL: "APPLY" }[status as string];
      if (gate !== undefined) await this.#scene.send("approveRun", { runId, gate, planVersion: plan.version });
    }
  }
}
