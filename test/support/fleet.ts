/** Runner pools with their runners: who asks for work by a token of a pool, over HTTP. */
import { randomUUID } from "node:crypto";
import { FakeJob, type ProtocolAnswer, RUNNER_SELF } from "./fake-runner.ts";
import type { Data } from "./api.ts";
import type { InProcess } from "./in-process.ts";
import { ADMIN } from "./line.ts";

/** A runner as it says that it is. */
export interface AskingAs {
  name?: string;
  instance?: string;
  labels?: string[];
  slots?: number;
  draining?: boolean;
  waitMs?: number;
  claimId?: string;
}

export interface Pool {
  id: string;
  /** The secret of a token. */
  secret: string;
  ask(as?: AskingAs): Promise<ProtocolAnswer>;
  /** null: there is nothing to take. */
  claim(as?: AskingAs): Promise<FakeJob | null>;
}

/** Runners by this token, which may be the one that the server gives its own runner. */
export function runnersBy(server: InProcess, secret: string): Omit<Pool, "id"> {
  const ask = async ({ waitMs = 0, claimId = randomUUID(), name = "one", ...as }: AskingAs = {}) => {
    const engine = { name: "terraform", version: "1.11.4" };
    const body: Data = { claimId, runner: { ...RUNNER_SELF, name, ...as }, engine, waitMs };
    const response = await fetch(`${server.url}/runner/v1/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
  return {
    secret,
    ask,
    async claim(as) {
      const { status, body } = await ask(as);
      if (status > 204) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body?.job ? new FakeJob(server.url, body.job) : null;
    },
  };
}

/** A new pool of the organization `default`. */
export async function addPool(
  server: InProcess,
  name: string,
  reserved = false,
  driftCheckLimit: number | null = null,
): Promise<Pool> {
  const { domain } = server;
  const organization = await domain.organizationBySlug(ADMIN, "default");
  const organizationId = organization?.id ?? "";
  const facts = { organizationId, name, description: null, reserved, driftCheckLimit };
  const { id } = await domain.createRunnerPool(ADMIN, facts);
  const { secret } = await domain.createRunnerToken(ADMIN, { poolId: id, name: "t", expiresAt: null });
  return { id, ...runnersBy(server, secret) };
}
