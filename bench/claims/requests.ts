/** Cycles by requests: a runner claims and ends a job by the runner protocol, and a script queues the next run by the API. */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { post } from "../logs/post.ts";

export interface RequestedCycles {
  /** The address of a server. */
  readonly url: string;
  readonly adminToken: string;
  readonly runnerToken: string;
  readonly runners: number;
}

const CREATE_RUN = `mutation($workspaceId: ID!) {
  createRun(input: { workspaceId: $workspaceId }) {
    ... on CreateRunSuccess { run { id } }
    ... on UserError { message }
  }
}`;
const FAILURE = { code: "PLAN_FAILED", summary: "It failed.", message: "It failed.", evidence: [] };

interface Claimed {
  readonly job?: { readonly id: string; readonly token: string; readonly workspace: { readonly id: string } };
}

/** Works through so many cycles; three requests each. */
export async function workByRequests(given: RequestedCycles, cycles: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let begun = 0;
  try {
    await Promise.all(
      Array.from({ length: given.runners }, async (_, runner) => {
        while (begun++ < cycles) await cycle(given, agent, `runner-${runner}`);
      }),
    );
  } finally {
    agent.destroy();
  }
}

async function cycle(
  { url, adminToken, runnerToken }: RequestedCycles,
  agent: Agent,
  runnerName: string,
): Promise<void> {
  const engine = { name: "terraform", version: "1.11.4" };
  const runner = { name: runnerName, version: "0", instance: "process", labels: [], slots: 1, draining: false };
  const claim = { claimId: randomUUID(), runner, engine, waitMs: 5000 };
  const { job }: Claimed = JSON.parse(await post(`${url}/runner/v1/claim`, agent, runnerToken, JSON.stringify(claim)));
  if (job === undefined) throw new Error("There was nothing to claim.");
  const message = JSON.stringify({ sequence: 1, type: "failed", failure: FAILURE });
  await post(`${url}/runner/v1/jobs/${job.id}/messages`, agent, job.token, message);
  const body = JSON.stringify({ query: CREATE_RUN, variables: { workspaceId: job.workspace.id } });
  const answer = await post(`${url}/graphql`, agent, adminToken, body);
  if (!answer.includes('"id"')) throw new Error(`No run was queued: ${answer}`);
}
