import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { RunStateDocument, type RunStateQuery, RunStatusesDocument, type RunStatus } from "./generated/graphql.ts";
import { send as sendHttp } from "./send.ts";

/** What comes back for an operation in a test's own words; tests look into it with expect, so that it has no type. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape is what a test asserts
export type Data = any;

export interface Answer {
  status: number;
  data: Data;
  errors: { message: string; extensions?: Record<string, unknown> }[] | undefined;
}

type Variables = Record<string, unknown>;

/** An operation whose types were generated, from test/support/documents or the client's. */
export interface TypedDocument<TResult, TVariables> extends DocumentTypeDecoration<TResult, TVariables> {
  toString(): string;
}

/** A subscription that ends when it is left. */
export type Items<T> = AsyncIterableIterator<T> & AsyncDisposable;

/** A plain client for tests: what goes over the wire is what a user's program would send. */
export interface Api {
  readonly url: string;
  readonly token: string;
  /** Sends an operation and gives what came back. */
  send(query: string, variables?: Variables): Promise<Answer>;
  /** The data of an operation that must have no errors. */
  ask(query: string, variables?: Variables): Promise<Data>;
  ask<TResult, TVariables extends Variables>(
    document: TypedDocument<TResult, TVariables>,
    variables: TVariables,
  ): Promise<TResult>;
  /** Items of a subscription by the published graphql-ws client, which does not try again. */
  subscribe(query: string, variables?: Variables): Items<Data>;
  subscribe<TResult, TVariables extends Variables>(
    document: TypedDocument<TResult, TVariables>,
    variables: TVariables,
  ): Items<TResult>;
  /** The same endpoint with another token. */
  as(token: string): Api;
}

/** A header that says nothing, and takes a request out of the short way for plain ones. */
export const THROUGH_YOGA = { "content-encoding": "identity" };

/** Each operation goes one of two ways, always the same, so that a difference between them fails some test. */
const wayOf = (query: string): Record<string, string> => (query.length % 2 === 0 ? THROUGH_YOGA : {});

type Operation = string | TypedDocument<unknown, never>;

export function createApi(url: string, token: string): Api {
  const send: Api["send"] = async (query, variables = {}) => {
    const answer = await sendHttp(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...wayOf(query) },
      body: JSON.stringify({ query, variables }),
    });
    const body: Data = JSON.parse(answer.text);
    return { status: answer.status, data: body.data, errors: body.errors };
  };
  return {
    url,
    token,
    send,
    async ask(query: Operation, variables?: Variables): Promise<Data> {
      const answer = await send(query.toString(), variables);
      if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
      return answer.data;
    },
    subscribe(query: Operation, variables: Variables = {}): Items<Data> {
      const client = createClient({
        url: `${url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
        lazy: true,
      });
      const items = client.iterate<Data>({ query: query.toString(), variables });
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

export type RunState = NonNullable<RunStateQuery["run"]>;

/** Follows the events of a run until one of these is reached, and gives where it is then. */
export async function waitForStatus(api: Api, runId: string, ...statuses: RunStatus[]): Promise<RunState> {
  await using events = api.subscribe(RunStatusesDocument, { runId });
  for await (const { runEvents } of events) {
    const status = "run" in runEvents ? runEvents.run.status : "to" in runEvents ? runEvents.to : null;
    if (status !== null && statuses.includes(status)) break;
  }
  const { run } = await api.ask(RunStateDocument, { id: runId });
  if (run === null) throw new Error(`There is no run ${runId}.`);
  if (!statuses.includes(run.status)) {
    throw new Error(`The run is ${run.status}, not ${statuses.join(" or ")}: ${JSON.stringify(run.failure)}`);
  }
  return run;
}
