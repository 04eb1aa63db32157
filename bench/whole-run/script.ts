/** A change as a script makes it: the API, and the request that waits for a gate or the end. */

export interface Script {
  /** A workspace over a folder of the server's disk; nothing was applied in it. */
  createWorkspace(name: string, path: string): Promise<string>;
  /** Gives its id. */
  createRun(workspaceId: string): Promise<string>;
  /** Creates a run, approves its plan and its apply, and waits for the end; gives the milliseconds up to each of them. */
  run(workspaceId: string): Promise<{ planned: number; approved: number; finished: number }>;
}

const CREATE_WORKSPACE = `mutation($name: String!, $path: String!) {
  createWorkspace(input: { name: $name, source: { directory: { path: $path } } }) {
    ... on CreateWorkspaceSuccess { workspace { id } }
    ... on UserError { message }
  }
}`;
const CREATE_RUN = `mutation($workspaceId: ID!) {
  createRun(input: { workspaceId: $workspaceId }) {
    ... on CreateRunSuccess { run { id } }
    ... on UserError { message }
  }
}`;
const APPROVE = `mutation($runId: ID!, $gate: Gate!, $planVersion: Int!) {
  approveRun(input: { runId: $runId, gate: $gate, planVersion: $planVersion }) {
    ... on ApproveRunSuccess { run { id status } }
    ... on UserError { message }
  }
}`;

interface Reached {
  reached: boolean;
  run: { status: string; outcome: string | null; planVersion: number; failure: { summary: string } | null };
}

export function createScript(url: string, token: string): Script {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  async function ask(query: string, variables: Record<string, unknown>): Promise<unknown> {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  /** Gives the first id of an answer. An answer without one is a refusal. */
  async function idFrom(query: string, variables: Record<string, unknown>): Promise<string> {
    const text = JSON.stringify(await ask(query, variables));
    const id = /"id":"([^"]+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`The server refused: ${text}`);
    return id;
  }

  async function waitFor(runId: string, until: "gate" | "end"): Promise<Reached["run"]> {
    for (;;) {
      const response = await fetch(`${url}/runs/${runId}/wait?until=${until}&seconds=60`, { headers });
      if (!response.ok) throw new Error(`The wait was answered with ${response.status}.`);
      const answer: Reached = JSON.parse(await response.text());
      if (answer.reached) return answer.run;
    }
  }

  return {
    createWorkspace: (name, path) => idFrom(CREATE_WORKSPACE, { name, path }),
    createRun: (workspaceId) => idFrom(CREATE_RUN, { workspaceId }),
    async run(workspaceId) {
      const started = performance.now();
      const runId = await idFrom(CREATE_RUN, { workspaceId });
      const { planVersion, status, failure } = await waitFor(runId, "gate");
      if (status !== "AWAITING_PLAN_APPROVAL") throw new Error(`The run is ${status}: ${failure?.summary}`);
      const planned = performance.now() - started;
      await idFrom(APPROVE, { runId, gate: "PLAN", planVersion });
      await idFrom(APPROVE, { runId, gate: "APPLY", planVersion });
      const approved = performance.now() - started;
      const end = await waitFor(runId, "end");
      if (end.outcome !== "APPLIED") throw new Error(`The run is ${end.status}: ${end.failure?.summary}`);
      return { planned, approved, finished: performance.now() - started };
    },
  };
}
