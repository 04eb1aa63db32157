/** A runner that runs nothing: it speaks the protocol as the test says, over real HTTP. */
import { createHash, randomUUID } from "node:crypto";
import type { Job, JobMessage } from "../../src/ingestion/wire.ts";
import type { ExecutedPhase } from "../../src/model/run/phase.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import { LOG_TEXT_TYPE, type LogAppend, writeLogText } from "../../src/model/log/log-text.ts";
import type { ClaimingRunner } from "../../src/model/runner/runner.ts";
import type { Data } from "./api.ts";
import { createdResource } from "./resource-changes.ts";
import { send as sendHttp } from "./send.ts";

export interface ProtocolAnswer {
  status: number;
  body: Data;
}

/** A runner as it introduces itself, where a test needs no other. */
export const RUNNER_SELF: ClaimingRunner = {
  name: "fake",
  version: "1",
  instance: "process",
  labels: [],
  slots: 1,
  draining: false,
};

/** A message without its number. */
export type MessageBody = JobMessage extends infer Message
  ? Message extends unknown
    ? Omit<Message, "sequence">
    : never
  : never;

/** One claimed job. Each method answers what the server said; nothing is retried. */
export class FakeJob {
  url: string;
  readonly job: Job;
  sequence = 0;
  nextLine: number;

  constructor(url: string, job: Job) {
    this.url = url;
    this.job = job;
    this.nextLine = job.nextLine;
  }

  request(method: string, path: string, body?: unknown, token: string = this.job.token): Promise<ProtocolAnswer> {
    return send(`${this.url}/runner/v1/jobs/${this.job.id}/${path}`, method, token, body);
  }

  /** Posts lines as text; `phase` and `firstLine` may be wrong. */
  sendLog({ phase, firstLine, lines }: Omit<LogAppend, "phase"> & { phase: string }): Promise<ProtocolAnswer> {
    return this.sendLogText(`phase=${phase}&firstLine=${firstLine}`, writeLogText(lines));
  }

  /** Posts what should be lines. */
  sendLogText(query: string, text: string | Uint8Array): Promise<ProtocolAnswer> {
    return this.request("POST", `log?${query}`, Buffer.from(text));
  }

  /** The next message; with a sequence of its own, exactly that one. */
  message(body: MessageBody, sequence = ++this.sequence): Promise<ProtocolAnswer> {
    return this.request("POST", "messages", { ...body, sequence });
  }

  async log(phase: ExecutedPhase, ...texts: string[]): Promise<ProtocolAnswer> {
    const at = "2026-11-20T16:07:25.447Z";
    const lines = texts.map((text) => ({ at, text }));
    const answer = await this.sendLog({ phase, firstLine: this.nextLine, lines });
    if (answer.status === 200) this.nextLine = answer.body.nextLine;
    return answer;
  }

  heartbeat(): Promise<ProtocolAnswer> {
    return this.request("POST", "heartbeat", { waitMs: 0 });
  }

  /** Goes through a planning leg up to a plan. */
  async plan(plan: Partial<PlanContent> = {}): Promise<ProtocolAnswer> {
    await this.message({ type: "prepared" });
    await this.message({ type: "initialized" });
    await this.request("PUT", "archive", Buffer.from("archive"));
    return this.message({ type: "planned", plan: fakePlan({ stateSerial: this.job.stateSerial, ...plan }) });
  }

  lockState(id: string): Promise<ProtocolAnswer> {
    return this.request("POST", "state/lock", lockInfo(id));
  }

  unlockState(id: string): Promise<ProtocolAnswer> {
    return this.request("POST", "state/unlock", lockInfo(id));
  }

  writeState(lockId: string, state: Data): Promise<ProtocolAnswer> {
    return this.request("POST", `state?ID=${lockId}`, state);
  }

  /** Goes through an applying leg, with one new state. */
  async apply(serial: number, lineage = "lineage", outputs: object = {}): Promise<ProtocolAnswer> {
    await this.message({ type: "prepared" });
    await this.lockState("lock");
    await this.writeState("lock", { version: 4, serial, lineage, outputs });
    await this.unlockState("lock");
    return this.message({ type: "applied", appliedAddresses: ["terraform_data.a"] });
  }
}

/** Asks once for work, without waiting. */
export async function claim(url: string, token: string, claimId: string = randomUUID()): Promise<FakeJob | null> {
  const answer = await claimAnswer(url, token, claimId);
  return answer.status === 200 ? new FakeJob(url, answer.body.job) : null;
}

export function claimAnswer(
  url: string,
  token: string,
  claimId: string,
  waitMs = 0,
  name = "fake",
): Promise<ProtocolAnswer> {
  const engine = { name: "terraform", version: "1.11.4" };
  const body = { claimId, runner: { ...RUNNER_SELF, name }, engine, waitMs };
  return send(`${url}/runner/v1/claim`, "POST", token, body);
}

export function fakePlan(plan: Partial<PlanContent> = {}): PlanContent {
  return {
    engine: { name: "terraform", version: "1.11.4" },
    digest: createHash("sha256").update(randomUUID()).digest("hex"),
    hasChanges: true,
    complete: true,
    counts: { additions: 1, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0 },
    stateSerial: 0,
    text: "terraform_data.a will be created",
    resourceChanges: [createdResource("a")],
    outputChanges: [],
    ...plan,
  };
}

function lockInfo(id: string): Record<string, string> {
  return { ID: id, Operation: "OperationTypeApply", Info: "", Who: "fake", Version: "1.11.4", Created: "", Path: "" };
}

async function send(url: string, method: string, token: string, body: unknown): Promise<ProtocolAnswer> {
  const bytes = body instanceof Uint8Array;
  const bytesType = url.includes("/log?") ? LOG_TEXT_TYPE : "application/octet-stream";
  const answer = await sendHttp(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": bytes ? bytesType : "application/json" },
    ...(body !== undefined && { body: bytes ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.text === "" ? null : JSON.parse(answer.text) };
}
