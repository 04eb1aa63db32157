import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ExecutionResult } from "graphql";
import type { FeedPosition } from "../../model/run/feed.ts";
import { factsOf } from "./document-facts.ts";
import { identityOf } from "./operation-identity.ts";
import { createReaderChecks, isBehind } from "./reader-checks.ts";
import { ReaderGroups } from "./reader-groups.ts";
import type { StreamPosition } from "../kit/stream-position.ts";
import { type Operation, payloadOf, type Source, type StreamReader, viewsOf } from "./stream-source.ts";
import type { OpenedStream, SharedStreamsDeps, SubscribeRequest } from "./stream-transport.ts";

export interface SharedStreams<Subscriber> {
  /** Adds a reader for a subscriber, until the stream ends or the reader leaves. */
  subscribe(asked: SubscribeRequest, subscriber: Subscriber): StreamReader<Subscriber>;
  /** Removes a reader. Nothing is sent to its subscriber. */
  leave(reader: StreamReader<Subscriber>): void;
  /** The number of open executions. */
  readonly sources: number;
}

/** The number of messages in a row after which other work of the process gets a turn. */
const BURST = 1000;

/**
 * Reads a subscription once for all subscribers of one identity. Each item is executed, and its JSON made, once for each
 * view that its readers have by their rights. README.md has the life of a source and the invariants.
 */
export function createSharedStreams<Subscriber, Payload>(
  deps: SharedStreamsDeps<Subscriber, Payload>,
): SharedStreams<Subscriber> {
  type Reader = StreamReader<Subscriber>;
  const { schema, transport, open, runAs } = deps;
  const admit = createReaderChecks(deps, leave);
  const operations = new Map<string, Operation<Subscriber>>();
  let sources = 0;

  function operationOf({ request, document, caller: { actor } }: SubscribeRequest): Operation<Subscriber> {
    const read = factsOf(schema, document);
    const key = identityOf(read, request, actor);
    const found = operations.get(key);
    if (found !== undefined) return found;
    const operation: Operation<Subscriber> = {
      key,
      request,
      document: read,
      actor,
      groups: new ReaderGroups(),
      facts: { requestId: randomUUID() },
      readers: 0,
      place: null,
      shared: null,
    };
    operations.set(key, operation);
    return operation;
  }

  function newSource(reader: Reader, from: FeedPosition | null): Source<Subscriber> {
    const { operation } = reader;
    const streamPosition: StreamPosition = {
      start: from,
      current: from,
      onIdle: () => onIdle(source),
      get place() {
        return operation.place;
      },
      set place(place) {
        operation.place = place;
      },
      audience: (access) => {
        source.row = viewsOf(source, access);
        return source.row.callers;
      },
      admit: (accessVersion) => admit(source, accessVersion),
    };
    const source: Source<Subscriber> = {
      operation,
      streamPosition,
      items: null,
      readers: new Set([reader]),
      groups: null,
      accessVersion: 0,
      row: null,
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
    const { caller } = reader;
    const { facts } = reader.operation;
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
        const payloads = await execute(source, items);
        if (source.closed) return;
        if (payloads === null) return finish(source);
        for (let slow = slowClient(source); slow !== null; slow = slowClient(source)) await transport.ready(slow);
        for (const reader of readers) {
          deliver(source, reader, payloads);
          sent += 1;
          if (sent % BURST === 0) await setImmediate();
        }
        source.row = null;
        source.delivered = streamPosition.current;
      }
    } catch (error) {
      fail(source, error);
    }
  }

  /** Executes the next row, once for each view of its readers. `null` at the end of the stream. */
  async function execute(
    source: Source<Subscriber>,
    items: AsyncIterableIterator<ExecutionResult>,
  ): Promise<Payload[] | null> {
    const payloads: Payload[] = [];
    for (;;) {
      const result = await items.next();
      if (source.closed || result.done === true) return null;
      if (source.row === null) throw new Error("A stream did not ask who may see its item.");
      payloads.push(transport.toPayload(result.value));
      if (payloads.length >= source.row.callers.length) return payloads;
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

  function deliver(source: Source<Subscriber>, reader: Reader, payloads: readonly Payload[]): void {
    const { delivered, streamPosition, row } = source;
    if (reader.deliveredTo !== null && delivered !== null && streamPosition.current !== null) {
      if (delivered.position >= reader.deliveredTo) reader.deliveredTo = null;
      else if (streamPosition.current.position <= reader.deliveredTo) return;
      // The reader has a part of the payload.
      else return detach(source, reader);
    }
    // It joined within a page, which was read by newer rights than it was checked for.
    if (isBehind(reader, source.accessVersion)) return detach(source, reader);
    const payload = row === null ? null : payloadOf(row, payloads, reader);
    if (payload === null) return;
    if (delivered === null || transport.isReady(reader.subscriber)) transport.next(reader.subscriber, payload);
    else detach(source, reader);
  }

  /** Removes a reader from its source. It resumes alone from its position once its socket is empty. */
  function detach(source: Source<Subscriber>, reader: Reader): void {
    const { delivered } = source;
    const from = delivered && { ...delivered, position: Math.max(delivered.position, reader.deliveredTo ?? 0) };
    remove(source, reader);
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

  /**
   * Moves the readers to the shared source, unless that one is ahead of them. A row that it executes counts as ahead: its
   * views were found without these readers. Returns whether it did.
   */
  function merge(source: Source<Subscriber>): boolean {
    const { delivered, operation, readers } = source;
    const { shared } = operation;
    if (shared === null || shared === source || delivered === null || shared.delivered === null) return false;
    const { epoch, position } = shared.streamPosition.current ?? shared.delivered;
    if (epoch !== delivered.epoch || position > delivered.position) return false;
    for (const reader of readers) {
      reader.source = shared;
      reader.deliveredTo = delivered.position;
      shared.readers.add(reader);
    }
    shared.groups = null;
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
    const { operation, group, source } = reader;
    operation.groups.leave(group);
    operation.readers -= 1;
    if (operation.readers === 0) operations.delete(operation.key);
    if (source !== null) remove(source, reader);
    if (source?.readers.size === 0) close(source);
  }

  function remove(source: Source<Subscriber>, reader: Reader): void {
    source.readers.delete(reader);
    source.groups = null;
  }

  return {
    subscribe(asked, subscriber) {
      const operation = operationOf(asked);
      operation.readers += 1;
      const { caller } = asked;
      const group = operation.groups.enter(caller);
      const reader: Reader = { operation, subscriber, caller, group, source: null, deliveredTo: null, hasLeft: false };
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
