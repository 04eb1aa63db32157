import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ExecutionResult } from "graphql";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { OperationRequest } from "./operation.ts";
import { identityOf } from "./operation-identity.ts";
import type { StreamPlace } from "../kit/stream-place.ts";
import type { OpenedStream, SharedStreamsDeps, StreamFacts, SubscribeRequest } from "./stream-transport.ts";

export interface SharedStreams<Subscriber> {
  /** Reads for a subscriber until the stream ends or it leaves. */
  subscribe(asked: SubscribeRequest, subscriber: Subscriber): StreamReader<Subscriber>;
  /** Ends it, without a word to the subscriber. */
  leave(reader: StreamReader<Subscriber>): void;
  /** How many executions are open. */
  readonly sources: number;
}

/** Subscriptions to the same, of readers who may see the same of it (`identityOf`). */
interface Operation<Subscriber> {
  key: string;
  /** How it is opened anew; where this one begins is of no matter then, but could be opened. */
  request: OperationRequest;
  caller: TokenCaller;
  facts: StreamFacts;
  readers: number;
  /** The source that others may join; null: each has its own for now. */
  shared: Source<Subscriber> | null;
}

export interface StreamReader<Subscriber> {
  readonly operation: Operation<Subscriber>;
  readonly subscriber: Subscriber;
  /** null while it waits for its socket, or for its source to be opened anew. */
  source: Source<Subscriber> | null;
  /** It has everything up to here already, though its source has not; null: it has what its source gave. */
  has: number | null;
  gone: boolean;
}

/** One execution with those whom it is sent to. */
interface Source<Subscriber> {
  operation: Operation<Subscriber>;
  place: StreamPlace;
  items: AsyncIterableIterator<ExecutionResult> | null;
  readers: Set<StreamReader<Subscriber>>;
  /** Its readers have everything up to here; null: not known. */
  at: FeedPosition | null;
  closed: boolean;
}

/** After so many messages in a row others get their turn. */
const BURST = 1000;

/**
 * Executes a subscription once for all who ask for the same and may see the same of it, and makes its JSON once. Everybody
 * begins alone, where the arguments say. A source that has handed out everything that there is becomes the shared one,
 * or hands its reader over to that one, which is cut where the two overlap. A reader whose socket does not keep up
 * leaves the shared source with its position, waits until the socket is empty, and goes on alone from there until it
 * has caught up: it holds one message and no source meanwhile. All changes of hands happen in one turn, while no item
 * is under way between the source and its readers, so that nothing is lost and nothing comes twice.
 */
export function createSharedStreams<Subscriber, Payload>(
  deps: SharedStreamsDeps<Subscriber, Payload>,
): SharedStreams<Subscriber> {
  type Reader = StreamReader<Subscriber>;
  const { schema, transport, open, runAs } = deps;
  const operations = new Map<string, Operation<Subscriber>>();
  let sources = 0;

  function operationOf({ request, document, caller }: SubscribeRequest): Operation<Subscriber> {
    const identity = identityOf(schema, document, request, caller);
    const found = operations.get(identity.key);
    if (found !== undefined) return found;
    const facts = { requestId: randomUUID() };
    const operation = { ...identity, request, facts, readers: 0, shared: null };
    operations.set(identity.key, operation);
    return operation;
  }

  function newSource(reader: Reader, from: FeedPosition | null): Source<Subscriber> {
    const place: StreamPlace = { from, now: from, onIdle: () => settle(source) };
    const readers = new Set([reader]);
    const source: Source<Subscriber> = {
      operation: reader.operation,
      place,
      items: null,
      readers,
      at: from,
      closed: false,
    };
    reader.source = source;
    reader.has = null;
    sources += 1;
    return source;
  }

  function close(source: Source<Subscriber>): void {
    if (source.closed) return;
    source.closed = true;
    sources -= 1;
    withdraw(source);
    source.items?.return?.().catch(() => {});
  }

  /** Whether no reader may join it any more. */
  function withdraw(source: Source<Subscriber>): void {
    const { operation } = source;
    if (operation.shared === source) operation.shared = null;
  }

  /** Opens a source for one reader, behind a position or where the arguments say. */
  async function begin(reader: Reader, asked: Asked, from: FeedPosition | null): Promise<void> {
    const source = newSource(reader, from);
    const { caller, facts } = reader.operation;
    const note: Asked["note"] = (told) => {
      Object.assign(facts, told);
      asked.note?.(told);
    };
    try {
      const opened = await open({ caller, note, place: source.place }, asked.request);
      if (!isIterator(opened)) {
        for (const { subscriber } of source.readers) transport.next(subscriber, transport.toPayload(opened));
        end(source, (subscriber) => transport.complete(subscriber));
        return;
      }
      source.items = opened;
      if (source.closed) {
        opened.return?.().catch(() => {});
        return;
      }
      if (from === null) {
        // Another that came before may have asked for a beginning that is no value of its type.
        reader.operation.request = asked.request;
        transport.opened(reader.subscriber);
      }
      runAs(facts, () => void pump(source, opened));
    } catch (error) {
      fail(source, error);
    }
  }

  async function pump(source: Source<Subscriber>, items: AsyncIterableIterator<ExecutionResult>): Promise<void> {
    const { readers, place } = source;
    let sent = 0;
    try {
      for (;;) {
        for (let slow = onlyAndSlow(source); slow !== null; slow = onlyAndSlow(source)) await transport.ready(slow);
        if (source.closed || merge(source)) return;
        const result = await items.next();
        if (source.closed) return;
        if (result.done === true) return finish(source);
        const payload = transport.toPayload(result.value);
        for (let slow = onlyAndSlow(source); slow !== null; slow = onlyAndSlow(source)) await transport.ready(slow);
        for (const reader of readers) {
          hand(source, reader, payload);
          sent += 1;
          if (sent % BURST === 0) await setImmediate();
        }
        if (source.closed) return;
        source.at = place.now;
      }
    } catch (error) {
      fail(source, error);
    }
  }

  /** A source with one reader goes as fast as that one; nobody joins it while it waits. */
  function onlyAndSlow(source: Source<Subscriber>): Subscriber | null {
    if (source.readers.size !== 1) return null;
    const [only] = source.readers;
    if (only === undefined || transport.isReady(only.subscriber)) return null;
    withdraw(source);
    return only.subscriber;
  }

  function hand(source: Source<Subscriber>, reader: Reader, payload: Payload): void {
    const { at, place } = source;
    if (reader.has !== null && at !== null && place.now !== null) {
      if (at.position >= reader.has) reader.has = null;
      else if (place.now.position <= reader.has) return;
      // It has a part of what is in the payload.
      else return drop(source, reader);
    }
    if (at === null || transport.isReady(reader.subscriber)) transport.next(reader.subscriber, payload);
    else drop(source, reader);
  }

  /** It goes on alone from where it is, when its socket is empty. */
  function drop(source: Source<Subscriber>, reader: Reader): void {
    const { at } = source;
    const from = at === null || reader.has === null ? at : { ...at, position: Math.max(at.position, reader.has) };
    source.readers.delete(reader);
    reader.source = null;
    if (source.readers.size === 0) close(source);
    void alone(reader, from);
  }

  async function alone(reader: Reader, from: FeedPosition | null): Promise<void> {
    await transport.ready(reader.subscriber);
    if (!reader.gone) await begin(reader, { request: reader.operation.request }, from);
  }

  /** A source that waits for what is new can take others on. */
  function settle(source: Source<Subscriber>): void {
    const { operation, place, closed } = source;
    if (closed) return;
    source.at = place.now;
    if (operation.shared === null) operation.shared = source;
    else merge(source);
  }

  /** Hands the reader over to the shared source, where that one has not given more than the reader has. */
  function merge(source: Source<Subscriber>): boolean {
    const { at, operation, readers } = source;
    const { shared } = operation;
    if (shared === null || shared === source || at === null || shared.at === null) return false;
    if (shared.at.epoch !== at.epoch || shared.at.position > at.position) return false;
    for (const reader of readers) {
      reader.source = shared;
      reader.has = at.position;
      shared.readers.add(reader);
    }
    readers.clear();
    close(source);
    return true;
  }

  /** The stream is over; whoever has more than it gave finds that out alone. */
  function finish(source: Source<Subscriber>): void {
    const { at } = source;
    for (const reader of source.readers) {
      if (reader.has !== null && at !== null && reader.has > at.position) drop(source, reader);
    }
    end(source, (subscriber) => transport.complete(subscriber));
  }

  /** Something unexpected ended it, which is reported once. */
  function fail(source: Source<Subscriber>, error: unknown): void {
    const shown = transport.toError(error);
    end(source, (subscriber) => transport.fail(subscriber, shown));
  }

  function end(source: Source<Subscriber>, tell: (subscriber: Subscriber) => void): void {
    const readers = [...source.readers];
    close(source);
    for (const reader of readers) {
      leave(reader);
      tell(reader.subscriber);
    }
  }

  function leave(reader: Reader): void {
    if (reader.gone) return;
    reader.gone = true;
    const { operation, source } = reader;
    operation.readers -= 1;
    if (operation.readers === 0) operations.delete(operation.key);
    source?.readers.delete(reader);
    if (source?.readers.size === 0) close(source);
  }

  return {
    subscribe(asked, subscriber) {
      const operation = operationOf(asked);
      operation.readers += 1;
      const reader: Reader = { operation, subscriber, source: null, has: null, gone: false };
      void begin(reader, asked, null);
      return reader;
    },
    leave,
    get sources() {
      return sources;
    },
  };
}

type Asked = Pick<SubscribeRequest, "request" | "note">;

function isIterator(opened: OpenedStream): opened is AsyncIterableIterator<ExecutionResult> {
  return Symbol.asyncIterator in opened;
}
