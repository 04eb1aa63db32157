import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ExecutionResult } from "graphql";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { OperationRequest } from "./operation.ts";
import { identityOf } from "./operation-identity.ts";
import type { StreamPosition } from "../kit/stream-position.ts";
import type { OpenedStream, SharedStreamsDeps, StreamFacts, SubscribeRequest } from "./stream-transport.ts";

export interface SharedStreams<Subscriber> {
  /** Adds a reader for a subscriber, until the stream ends or the reader leaves. */
  subscribe(asked: SubscribeRequest, subscriber: Subscriber): StreamReader<Subscriber>;
  /** Removes a reader. Nothing is sent to its subscriber. */
  leave(reader: StreamReader<Subscriber>): void;
  /** The number of open executions. */
  readonly sources: number;
}

/** The subscriptions of one identity (`identityOf`): equal requests of callers with equal rights to the result. */
interface Operation<Subscriber> {
  key: string;
  /** A request that could be opened. Sources that are opened later use it; its beginning is then ignored. */
  request: OperationRequest;
  caller: ActorCaller;
  facts: StreamFacts;
  readers: number;
  /** The source that readers may join. `null` if each has its own. */
  shared: Source<Subscriber> | null;
}

export interface StreamReader<Subscriber> {
  readonly operation: Operation<Subscriber>;
  readonly subscriber: Subscriber;
  /** `null` while the reader waits until its socket is empty. */
  source: Source<Subscriber> | null;
  /** The position up to which the reader has all items, if it is ahead of its source; else `null`. */
  deliveredTo: number | null;
  hasLeft: boolean;
}

/** One execution, with the readers that get its items. */
interface Source<Subscriber> {
  operation: Operation<Subscriber>;
  streamPosition: StreamPosition;
  items: AsyncIterableIterator<ExecutionResult> | null;
  readers: Set<StreamReader<Subscriber>>;
  /** The position up to which its readers have all items. `null` if it is not known. */
  delivered: FeedPosition | null;
  closed: boolean;
}

/** The number of messages in a row after which other work of the process gets a turn. */
const BURST = 1000;

/**
 * Executes a subscription once for all subscribers of one identity, and makes its JSON once. README.md has the life of a
 * source and the invariants.
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
    const streamPosition: StreamPosition = { start: from, current: from, onIdle: () => onIdle(source) };
    const readers = new Set([reader]);
    const source: Source<Subscriber> = {
      operation: reader.operation,
      streamPosition,
      items: null,
      readers,
      delivered: from,
      closed: false,
    };
    reader.source = source;
    reader.deliveredTo = null;
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

  /** Ends the sharing of a source: no reader may join it any more. */
  function withdraw(source: Source<Subscriber>): void {
    const { operation } = source;
    if (operation.shared === source) operation.shared = null;
  }

  /** Opens a source for one reader: behind a position, or as the arguments of the request decide. */
  async function openSource(reader: Reader, asked: Asked, from: FeedPosition | null): Promise<void> {
    const source = newSource(reader, from);
    const { caller, facts } = reader.operation;
    const note: Asked["note"] = (noted) => {
      Object.assign(facts, noted);
      asked.note?.(noted);
    };
    try {
      const opened = await open({ caller, note, streamPosition: source.streamPosition }, asked.request);
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
        // The beginning in an earlier request may not be a value of its type.
        reader.operation.request = asked.request;
        transport.opened(reader.subscriber);
      }
      runAs(facts, () => void pump(source, opened));
    } catch (error) {
      fail(source, error);
    }
  }

  async function pump(source: Source<Subscriber>, items: AsyncIterableIterator<ExecutionResult>): Promise<void> {
    const { readers, streamPosition } = source;
    let sent = 0;
    try {
      for (;;) {
        for (let slow = slowClient(source); slow !== null; slow = slowClient(source)) await transport.ready(slow);
        if (source.closed || merge(source)) return;
        const result = await items.next();
        if (source.closed) return;
        if (result.done === true) return finish(source);
        const payload = transport.toPayload(result.value);
        for (let slow = slowClient(source); slow !== null; slow = slowClient(source)) await transport.ready(slow);
        for (const reader of readers) {
          deliver(source, reader, payload);
          sent += 1;
          if (sent % BURST === 0) await setImmediate();
        }
        if (source.closed) return;
        source.delivered = streamPosition.current;
      }
    } catch (error) {
      fail(source, error);
    }
  }

  /** Returns the only subscriber of a source if it is slow. The source waits for it, and no reader joins meanwhile. */
  function slowClient(source: Source<Subscriber>): Subscriber | null {
    if (source.readers.size !== 1) return null;
    const [only] = source.readers;
    if (only === undefined || transport.isReady(only.subscriber)) return null;
    withdraw(source);
    return only.subscriber;
  }

  function deliver(source: Source<Subscriber>, reader: Reader, payload: Payload): void {
    const { delivered, streamPosition } = source;
    if (reader.deliveredTo !== null && delivered !== null && streamPosition.current !== null) {
      if (delivered.position >= reader.deliveredTo) reader.deliveredTo = null;
      else if (streamPosition.current.position <= reader.deliveredTo) return;
      // The reader has a part of the payload.
      else return detach(source, reader);
    }
    if (delivered === null || transport.isReady(reader.subscriber)) transport.next(reader.subscriber, payload);
    else detach(source, reader);
  }

  /** Removes a reader from its source. It resumes alone from its position once its socket is empty. */
  function detach(source: Source<Subscriber>, reader: Reader): void {
    const { delivered } = source;
    const from =
      delivered === null || reader.deliveredTo === null
        ? delivered
        : { ...delivered, position: Math.max(delivered.position, reader.deliveredTo) };
    source.readers.delete(reader);
    reader.source = null;
    if (source.readers.size === 0) close(source);
    void resumeAlone(reader, from);
  }

  async function resumeAlone(reader: Reader, from: FeedPosition | null): Promise<void> {
    await transport.ready(reader.subscriber);
    if (!reader.hasLeft) await openSource(reader, { request: reader.operation.request }, from);
  }

  /** Shares a source that waits for new items, or merges it into the shared one. */
  function onIdle(source: Source<Subscriber>): void {
    const { operation, streamPosition, closed } = source;
    if (closed) return;
    source.delivered = streamPosition.current;
    if (operation.shared === null) operation.shared = source;
    else merge(source);
  }

  /** Moves the readers to the shared source, unless that one is ahead of them. Returns whether it did. */
  function merge(source: Source<Subscriber>): boolean {
    const { delivered, operation, readers } = source;
    const { shared } = operation;
    if (shared === null || shared === source || delivered === null || shared.delivered === null) return false;
    if (shared.delivered.epoch !== delivered.epoch || shared.delivered.position > delivered.position) return false;
    for (const reader of readers) {
      reader.source = shared;
      reader.deliveredTo = delivered.position;
      shared.readers.add(reader);
    }
    readers.clear();
    close(source);
    return true;
  }

  /** Ends the stream. A reader that is ahead of the source resumes alone, and its stream then ends there. */
  function finish(source: Source<Subscriber>): void {
    const { delivered } = source;
    for (const reader of source.readers) {
      if (reader.deliveredTo !== null && delivered !== null && reader.deliveredTo > delivered.position)
        detach(source, reader);
    }
    end(source, (subscriber) => transport.complete(subscriber));
  }

  /** Ends a source by an unexpected error, which is reported once. */
  function fail(source: Source<Subscriber>, error: unknown): void {
    const shown = transport.toError(error);
    end(source, (subscriber) => transport.fail(subscriber, shown));
  }

  function end(source: Source<Subscriber>, notify: (subscriber: Subscriber) => void): void {
    const readers = [...source.readers];
    close(source);
    for (const reader of readers) {
      leave(reader);
      notify(reader.subscriber);
    }
  }

  function leave(reader: Reader): void {
    if (reader.hasLeft) return;
    reader.hasLeft = true;
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
      const reader: Reader = { operation, subscriber, source: null, deliveredTo: null, hasLeft: false };
      void openSource(reader, asked, null);
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
