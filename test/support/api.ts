import { createClient } from "graphql-ws";
import { WebSocket } from "ws";

/** What a GraphQL endpoint answers; tests look into it with expect, so that its data has no type of its own. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape is what a test asserts
export type Data = any;

export interface Answer {
  status: number;
  data: Data;
  errors: { message: string; extensions?: Record<string, unknown> }[] | undefined;
}

/** A plain client for tests: what goes over the wire is what a user's program would send. */
export interface Api {
  readonly url: string;
  readonly token: string;
  /** Sends an operation and gives what came back. */
  send(query: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** The data of an operation that must have no errors. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** Items of a subscription by the published graphql-ws client, which does not try again. */
  subscribe(query: string, variables?: Record<string, unknown>): AsyncIterableIterator<Data> & AsyncDisposable;
  /** The same endpoint with another token. */
  as(token: string): Api;
}

export function createApi(url: string, token: string): Api {
  const send: Api["send"] = async (query, variables = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const body: Data = await response.json();
    return { status: response.status, data: body.data, errors: body.errors };
  };
  return {
    url,
    token,
    send,
    async ask(query, variables) {
      const answer = await send(query, variables);
      if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
      return answer.data;
    },
    subscribe(query, variables = {}) {
      const client = createClient({
        url: `${url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
        lazy: true,
      });
      const items = client.iterate<Data>({ query, variables });
      const end = async (): Promise<void> => {
        await items.return?.();
        await client.dispose();
      };
      return {
        async next() {
          const result = await items.next();
          if (result.done === true) return result;
          if (result.value.errors) throw new Error(JSON.stringify(result.value.errors));
          return { done: false, value: result.value.data };
        },
        async return() {
          await end();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
        [Symbol.asyncDispose]: end,
      };
    },
    as: (other) => createApi(url, other),
  };
}

/** Status of a run, again and again as its events come, until one of these is reached. */
export async function waitForStatus(api: Api, runId: string, ...statuses: string[]): Promise<Data> {
  const query = `subscription ($id: ID!) { runEvents(runId: $id) {
    ... on RunSnapshot { run { status } } ... on RunStatusChanged { to } } }`;
  await using events = api.subscribe(query, { id: runId });
  for await (const { runEvents } of events) {
    const status = runEvents.run?.status ?? runEvents.to;
    if (statuses.includes(status)) break;
  }
  const { run } = await api.ask(
    `query ($id: ID!) { run(id: $id) { id number status leg outcome version forced reason
      failure { code stage category summary message evidence appliedAddresses stateUncertain retryable }
      plan { id version digest hasChanges isCurrent complete additions changes destructions replacements imports moves
        forgets targets } } }`,
    { id: runId },
  );
  if (!statuses.includes(run.status)) {
    throw new Error(`The run is ${run.status}, not ${statuses.join(" or ")}: ${JSON.stringify(run.failure)}`);
  }
  return run;
}
