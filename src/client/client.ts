import { errorOfAnswer, isRecord, RequestError, UnauthenticatedError, UnreachableError } from "./errors.ts";
import { createItemQueue } from "./item-queue.ts";
import { createSocket, defaultRetry, errorOfStream, type RetrySettings } from "./socket.ts";

export interface ClientOptions {
  /** The GraphQL endpoint, for example `http://127.0.0.1:4000/graphql`; streams use the same address. */
  readonly url: string;
  /** Absent: the session of the browser is used. */
  readonly token?: string;
  /** How dropped streams are tried again. */
  readonly retry?: RetrySettings;
  /** Called each time when a dropped stream is tried again. */
  readonly onRetry?: () => void;
  /** Called when the server has accepted the connection of the streams, and whenever that proves to be alive. */
  readonly onAlive?: () => void;
  /** Called when the connection of the streams was lost, or closed with the last stream. */
  readonly onClosed?: () => void;
}

/** An operation as text. The types of a generated document are taken from it; a text alone has the types that are given. */
export interface TypedText<TResult, TVariables> {
  toString(): string;
  readonly __apiType?: (variables: TVariables) => TResult;
}

/** The state that a stream needs to continue where it was. */
export interface StreamOptions<TResult> {
  /** The cursor of an item; undefined for items that have none. */
  readonly cursorOf: (item: TResult) => string | undefined;
}

/** A stream of items; leaving a `for await` over it, or `return()`, ends the subscription at once. */
export type Stream<TResult> = AsyncIterableIterator<TResult, undefined, undefined>;

export interface Client extends AsyncDisposable {
  /** One query or mutation. Throws a ClientError where the server gives no data. */
  request<TResult, TVariables>(document: TypedText<TResult, TVariables>, variables: TVariables): Promise<TResult>;
  /**
   * One subscription. After a dropped connection it continues after the newest cursor that was received, so each item
   * is delivered once. Throws a ClientError if it cannot continue.
   */
  subscribe<TResult, TVariables extends { after?: string | null | undefined }>(
    document: TypedText<TResult, TVariables>,
    variables: TVariables,
    options: StreamOptions<TResult>,
  ): Stream<TResult>;
  /**
   * Checks the connection of the streams: a dropped one is tried at once, and one that does not answer within 2 s is
   * dropped and made again.
   */
  checkNow(): void;
}

const requestWithinMs = 30_000;

/** Connects nothing yet: queries go by HTTP, and the WebSocket opens with the first subscription. */
export function createClient(options: ClientOptions): Client {
  const disposal = new AbortController();
  const socket = createSocket({
    url: options.url.replace(/^http/, "ws"),
    token: options.token,
    retry: options.retry ?? defaultRetry,
    onRetry: options.onRetry ?? (() => {}),
    onAlive: options.onAlive ?? (() => {}),
    onClosed: options.onClosed ?? (() => {}),
    signal: disposal.signal,
  });
  return {
    async request(document, variables) {
      const data = await post(options, document.toString(), variables);
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the document was checked against the schema when its types were generated
      return data as ResultOf<typeof document>;
    },
    subscribe<TResult, TVariables extends { after?: string | null | undefined }>(
      document: TypedText<TResult, TVariables>,
      variables: TVariables,
      { cursorOf }: StreamOptions<TResult>,
    ) {
      // graphql-ws writes the payload again with each connection, so noting the cursor here makes every retry resume.
      const payload = { query: document.toString(), variables: { ...variables } };
      const queue = createItemQueue<TResult>(() => unsubscribe());
      const unsubscribe = socket.client.subscribe<TResult>(payload, {
        next({ data, errors }) {
          if (errors && errors.length > 0) {
            queue.fail(errorOfAnswer(errors));
            unsubscribe();
          } else if (data) {
            payload.variables.after = cursorOf(data) ?? payload.variables.after;
            queue.push(data);
          }
        },
        error: (cause) => queue.fail(errorOfStream(cause, options.url)),
        complete: () => queue.end(),
      });
      return queue;
    },
    checkNow: () => socket.check(),
    async [Symbol.asyncDispose]() {
      disposal.abort();
      // Rejects when the connection is just being made and fails: then there is nothing to close.
      await Promise.resolve(socket.client.dispose()).catch(() => {});
    },
  };
}

type ResultOf<TDocument> = TDocument extends TypedText<infer TResult, infer _TVariables> ? TResult : never;

async function post({ url, token }: ClientOptions, query: string, variables: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(requestWithinMs),
  }).catch((cause: unknown) => {
    throw new UnreachableError(`The server at ${url} does not answer.`, { cause });
  });
  const text = await response.text().catch((cause: unknown) => {
    throw new UnreachableError(`The server at ${url} broke off its answer.`, { cause });
  });
  if (response.status === 401) throw new UnauthenticatedError("The server does not accept the token.");
  const body = parseJson(text);
  if (!isRecord(body) || (body["data"] === undefined && body["errors"] === undefined)) {
    throw new RequestError(`The server at ${url} answered with HTTP ${response.status} and no GraphQL.`);
  }
  if (Array.isArray(body["errors"]) && body["errors"].length > 0) throw errorOfAnswer(body["errors"]);
  return body["data"];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
