/** The health of workspaces in steps of a clock that is set: probers, and the rounds of a server. */
import { createProberDesk } from "../../src/domain/health/prober-desk.ts";
import { healthRound } from "../../src/domain/health/health-round.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";
import { PUBLIC_PROBES, type ProbePool } from "../../src/model/health/prober-desk.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import { failedSample, passedSample, type ProbeSample } from "../../src/model/probe/probe-sample.ts";
import { createHealthProber, type HealthProber } from "../../src/probing/health-prober.ts";
import type { Scene } from "../domain/scene.ts";

export const RED: ProbeSample = failedSample("CONNECT", "The connection was refused.");
export const GREEN: ProbeSample = passedSample(3);

/** A prober that a test moves. */
export interface SteppedProber {
  readonly id: string;
  readonly prober: HealthProber;
  /** Ends it as a kill does: it gives nothing back. */
  kill(): void;
  /** Ends it as a server that is stopped does. */
  stop(): Promise<void>;
}

export interface HealthSteps extends AsyncDisposable {
  /** The answers of targets by URL; what is not here is good. */
  readonly answers: Map<string, ProbeSample>;
  /** Each request, with the instant at which it was sent. */
  readonly sent: { url: string; atMs: number; by: string }[];
  start(id: string, pool?: ProbePool, perSecond?: number | null): Promise<SteppedProber>;
  /** Lets time pass: probers probe each second, and report and lease with each heartbeat. */
  pass(seconds: number): Promise<void>;
  /** Makes the targets follow, without letting time pass. */
  follow(): Promise<void>;
  health(workspaceId: string): Promise<{ health: string; reason: string | null } | null>;
}

/** Creates a world whose clock is that of a scene. Webhooks and other work of servers is left out. */
export function healthSteps(scene: Scene): HealthSteps {
  const { server } = scene;
  const deps: Deps = server.deps;
  const probers = new Map<string, { pool: ProbePool; prober: HealthProber }>();
  const answers = new Map<string, ProbeSample>();
  const sent: HealthSteps["sent"] = [];
  const now = (): number => deps.clock().getTime();

  async function heartbeat(): Promise<void> {
    await healthRound(deps);
    for (const { prober } of probers.values()) {
      await prober.report();
      await prober.lease();
    }
  }

  return {
    answers,
    sent,
    async start(id, pool = PUBLIC_PROBES, perSecond = null) {
      const probe = (request: ProbeRequest): Promise<ProbeSample> => {
        const url = urlOf(request);
        sent.push({ url, atMs: now(), by: id });
        return Promise.resolve(answers.get(url) ?? GREEN);
      };
      const desk = createProberDesk(deps, pool);
      const prober = createHealthProber({ desk, prober: { probe }, proberId: id, perSecond, now });
      probers.set(id, { pool, prober });
      await prober.lease();
      return {
        id,
        prober,
        kill: () => void probers.delete(id),
        async stop() {
          probers.delete(id);
          await prober[Symbol.asyncDispose]();
        },
      };
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        server.advance(1000);
        for (const { prober } of probers.values()) prober.tick();
        await new Promise((done) => setImmediate(done));
        if (now() % HEALTH_LIMITS.heartbeatMs < 1000) await heartbeat();
      }
    },
    async follow() {
      await healthRound(deps);
      for (const { prober } of probers.values()) await prober.lease();
    },
    async health(workspaceId) {
      const [row = null] = await scene.rows(
        "select health, reason from workspace_health where workspace_id = $1",
        workspaceId,
      );
      return row === null ? null : { health: row["health"], reason: row["reason"] };
    },
    async [Symbol.asyncDispose]() {
      for (const { prober } of probers.values()) await prober[Symbol.asyncDispose]();
    },
  };
}

function urlOf(request: ProbeRequest): string {
  if (request.kind === "HTTP") return request.urls[0] ?? "";
  return request.kind === "GRAPHQL" ? request.url : `${request.host}:${request.port}`;
}

/** Creates a workspace with probes and applies it. */
export async function appliedWorkspace(scene: Scene, probes: object[], outputs: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace();
  await scene.quick("updateWorkspace", { workspaceId, probes });
  await applyAgain(scene, workspaceId, outputs);
  return workspaceId;
}

export async function applyAgain(scene: Scene, workspaceId: string, outputs: object = {}): Promise<void> {
  const runId = await confirmedRun(scene, workspaceId);
  const [row] = await scene.rows("select state_serial from workspace where id = $1", workspaceId);
  await (await scene.claim(runId)).apply(Number(row?.["state_serial"]) + 1, "line", outputs);
}

/** Plans a run and approves it. */
export async function confirmedRun(scene: Scene, workspaceId: string, kind = "DEPLOY"): Promise<string> {
  const runId = await scene.createRun(workspaceId, { kind });
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  return runId;
}

export function output(value: unknown, sensitive = false): object {
  return { value, type: "string", sensitive };
}
