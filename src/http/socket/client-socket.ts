import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { StreamReader } from "../../graphql/server/stream-source.ts";
import { type NextPayload, writeNext } from "./next-frame.ts";
import type { ObservedOperation } from "../observe/observe-operations.ts";
import type { Sender } from "../route/token-door.ts";
import type { TokenEnd, TokenHolder, TokenWatch } from "../../model/people/token-watch.ts";

/** The close code of a socket whose token has ended. */
const REVOKED = 4403;
/** The close code for a client that may connect again at once. */
const TRY_AGAIN_LATER = 1013;
const NOTHING = Buffer.alloc(0);
const NONE: readonly SocketOperation[] = [];

/**
 * A WebSocket with its connection as a field, so that all sockets share their listeners. Ten thousand are open at a time,
 * and a closure takes ten times the memory of a field.
 */
export class ClientSocket extends WebSocket implements TokenHolder {
  /** null before it is served. */
  connection: Connection | null = null;
  /** Whether it was pinged and has not answered. */
  owesPong = false;
  /** Its number. Sockets are pinged in turns. */
  turn = 0;

  tokenEnded(how: TokenEnd): void {
    // With the rights of now the client may connect again, and resume where it was.
    if (how === "LESS_RIGHTS") this.close(TRY_AGAIN_LATER, "Rights have changed");
    else this.close(REVOKED, "Forbidden");
  }
}

/** The state of one socket, with its operations. */
export interface Connection {
  readonly socket: ClientSocket;
  /** The stream below the socket. */
  readonly wire: Duplex;
  /** The id of the request that opened it. */
  readonly id: string;
  /** That request, until the first message. */
  request: Sender | null;
  /** Closes the socket unless the first message comes; null after it came. */
  initTimer: NodeJS.Timeout | null;
  /** The token of the first message; null before that message. */
  secret: string | null;
  /** The address of the client, from the first message on; null if it is not known. */
  address: string | null;
  isAcknowledged: boolean;
  /** Closes the socket when its token ends; null without a watch. */
  token: TokenWatch | null;
  /** The number of operations so far. */
  count: number;
  /** The number of operations that are admitted or executed now, including those that the client completed. */
  working: number;
  /** The open operations, mostly one: a list takes a third of the memory of a map. */
  operations: readonly SocketOperation[];
  /** Callbacks for the moment in which everything is sent; null if there are none. */
  waiting: (() => void)[] | null;
}

/** One operation of a socket. */
export interface SocketOperation {
  readonly connection: Connection;
  /** The id that the client chose. */
  readonly id: string;
  /** The id as it is written in messages. */
  readonly label: string;
  readonly observed: ObservedOperation;
  /** The reader of a subscription; null before it is open, and for other operations. */
  reader: StreamReader<SocketOperation> | null;
  /** Ends the count of a subscription as open; null if it is not counted. */
  counted: Disposable | null;
}

export function createConnection(socket: ClientSocket, wire: Duplex, request: Sender, id: string): Connection {
  return {
    socket,
    wire,
    id: detachText(id),
    request,
    initTimer: null,
    secret: null,
    address: null,
    isAcknowledged: false,
    token: null,
    count: 0,
    working: 0,
    operations: NONE,
    waiting: null,
  };
}

/** Copies a text, so that keeping it does not keep the larger texts that it was cut from or joined of. */
export function detachText(text: string): string {
  return Buffer.from(text).toString();
}

/** Whether everything that was sent has left this process. */
export function isDrained({ socket }: Connection): boolean {
  return socket.readyState === socket.OPEN && socket.bufferedAmount === 0;
}

/** Resolves when everything has left this process, or the socket is closed. */
export function drained(connection: Connection): Promise<void> {
  const { socket } = connection;
  if (isDrained(connection) || socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    if (connection.waiting === null) {
      connection.waiting = [resolve];
      askWhenSent(connection);
    } else connection.waiting.push(resolve);
  });
}

/**
 * Writes an empty buffer after everything else and wakes the waiters when it was sent: the last write may be a ping of
 * the library, which reports no end. A socket that is not writable is about to close, which wakes the waiters as well.
 */
function askWhenSent(connection: Connection): void {
  const { socket, wire } = connection;
  if (socket.readyState === socket.OPEN && wire.writable) wire.write(NOTHING, () => wake(connection));
}

/** Resolves the waiters, unless there is more to send by now. */
export function wake(connection: Connection): void {
  const { socket, waiting } = connection;
  if (waiting === null) return;
  if (!isDrained(connection) && socket.readyState !== socket.CLOSED) {
    askWhenSent(connection);
    return;
  }
  connection.waiting = null;
  for (const resolve of waiting) resolve();
}

export function sendText({ socket }: Connection, text: string): void {
  if (socket.readyState === socket.OPEN) socket.send(text);
}

/** Sends one result of an operation. */
export function sendNext({ connection, label }: SocketOperation, payload: NextPayload): void {
  const { socket, wire } = connection;
  if (socket.readyState === socket.OPEN) writeNext(wire, label, payload);
}

export function findOperation({ operations }: Connection, id: string): SocketOperation | undefined {
  return operations.find((operation) => operation.id === id);
}

export function addOperation(connection: Connection, operation: SocketOperation): void {
  // A spread list would reserve room for sixteen more.
  connection.operations = connection.operations.concat([operation]);
}

export function isWanted(operation: SocketOperation): boolean {
  return operation.connection.operations.includes(operation);
}

export function forget(operation: SocketOperation): void {
  const { connection } = operation;
  connection.operations = connection.operations.filter((other) => other !== operation);
  operation.counted?.[Symbol.dispose]();
  operation.counted = null;
}
