import { type Client, createClient } from "graphql-ws";
import { WebSocket } from "ws";
import type { Api, Data } from "./api.ts";

/** What runs are judged by. The two types of states need names of their own. */
const JUDGED = `... on CheckChanged { checkTo: to result { id status } } ... on PolicyEvaluated { evaluation { id status } }`;

const QUERIES = {
  runEvents: `subscription ($id: ID!, $after: String) { stream: runEvents(runId: $id, after: $after) { __typename
    ... on StreamItem { cursor } ... on RunEvent { version } ... on RunStatusChanged { to } ${JUDGED}
    ... on RunSnapshot { run { version status } } } }`,
  runLog: `subscription ($id: ID!, $after: String) { stream: runLog(runId: $id, after: $after) { __typename
    ... on StreamItem { cursor } ... on LogBatch { lines { number text } } } }`,
  workspaceEvents: `subscription ($id: ID!, $after: String) { stream: workspaceEvents(workspaceId: $id, after: $after) {
    __typename ... on StreamItem { cursor } ... on RunEvent { version run { id } } ${JUDGED}
    ... on WorkspaceChanged { fields } } }`,
  changesetEvents: `subscription ($id: ID!, $after: String) { stream: changesetEvents(changesetId: $id, after: $after) {
    __typename ... on StreamItem { cursor } ... on RunEvent { version run { id } } ... on ChangesetChanged { change } } }`,
  organizationEvents: `subscription ($id: ID!, $after: String) {
    stream: organizationEvents(organizationId: $id, after: $after) {
      __typename ... on StreamItem { cursor } ... on RunEvent { version run { id } } ${JUDGED}
      ... on WorkspaceChanged { fields workspace { id } } } }`,
};

/** How one connection ended: by the server's `complete`, by a lost socket, or with an error as the answer. */
export type Ending = "completed" | "dropped" | "refused";

/**
 * Reads a stream with the published client and keeps the last cursor over any number of connections. What it has is
 * what it was sent: items after a drop come by the cursor or not at all.
 */
export class Follower {
  readonly items: Data[] = [];
  /** Top-level errors of a stream that was refused. */
  errors: Data[] = [];
  cursor: string | null = null;
  readonly #field: keyof typeof QUERIES;
  readonly #runId: string;
  readonly #waiting = new Set<() => void>();
  #socket: WebSocket | null = null;
  #client: Client | null = null;

  constructor(field: keyof typeof QUERIES, runId: string) {
    this.#field = field;
    this.#runId = runId;
  }

  /** Connects once; after `dropAfter` further items the raw socket is cut. */
  async connect(api: Api, dropAfter = Number.POSITIVE_INFINITY): Promise<Ending> {
    const keep = (socket: WebSocket): void => {
      this.#socket = socket;
    };
    class Socket extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        keep(this);
      }
    }
    const client = createClient({
      url: `${api.url.replace("http", "ws")}/graphql`,
      webSocketImpl: Socket,
      connectionParams: { authorization: `Bearer ${api.token}` },
      retryAttempts: 0,
    });
    this.#client = client;
    let rest = dropAfter;
    const ending = await new Promise<Ending>((resolve) => {
      client.subscribe<Data>(
        { query: QUERIES[this.#field], variables: { id: this.#runId, after: this.cursor } },
        {
          next: ({ data, errors }) => {
            if (rest <= 0) return;
            if (errors !== undefined) {
              this.errors = [...errors];
              return;
            }
            this.#take(data.stream);
            rest -= 1;
            if (rest <= 0) this.drop();
          },
          error: (error) => {
            if (Array.isArray(error)) this.errors = error;
            resolve(Array.isArray(error) ? "refused" : "dropped");
          },
          // What had arrived before the cut is still delivered, an end as well.
          complete: () => resolve(rest > 0 ? "completed" : "dropped"),
        },
      );
    });
    await client.dispose();
    return ending;
  }

  /** Cuts the socket without a word, as a lost network does. */
  drop(): void {
    this.#socket?.terminate();
  }

  /** Ends the stream in good order. */
  async leave(): Promise<void> {
    await this.#client?.dispose();
  }

  /** Fulfilled once an item, past or to come, is the one. */
  async until(isIt: (item: Data) => boolean): Promise<void> {
    for (let seen = 0; ; ) {
      for (; seen < this.items.length; seen += 1) if (isIt(this.items[seen])) return;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Numbers of all lines that came, in the order in which they came. */
  get lineNumbers(): number[] {
    return this.items.flatMap(({ lines }) => lines ?? []).map(({ number }) => number);
  }

  get lineTexts(): string[] {
    return this.items.flatMap(({ lines }) => lines ?? []).map(({ text }) => text);
  }

  /** Versions of all events that came, in the order in which they came; the snapshot is none. */
  get versions(): number[] {
    return this.items.flatMap(({ version }) => version ?? []);
  }

  #take(item: Data): void {
    this.items.push(item);
    this.cursor = item.cursor ?? this.cursor;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
