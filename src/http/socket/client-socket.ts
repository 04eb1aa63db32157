import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { StreamReader } from "../../graphql/server/shared-streams.ts";
import { type NextPayload, writeNext } from "./next-frame.ts";
import type { ObservedOperation } from "../observe/observe-operations.ts";
import type { TokenHolder, TokenWatch } from "../kit/token-end.ts";

/** The token was valid when the socket was opened, and is not any more. */
const REVOKED = 4403;
const NOTHING = Buffer.alloc(0);
const NONE: readonly SocketOperation[] = [];

/**
 * A WebSocket from which what belongs to it is found. So all sockets share their listeners: ten thousand are open at a
 * time, and a closure with what it holds takes ten times what a field does.
 */
export class ClientSocket extends WebSocket implements TokenHolder {
  /** null before it is served. */
  connection: Connection | null = null;
  /** It was pinged, and has not answered. */
  owesPong = false;
  /** Its number: sockets are pinged in turns. */
  turn = 0;

  tokenEnded(): void {
    this.close(REVOKED, "Forbidden");
  }
}

/** What a socket was opened for, and what is under way on it. */
export interface Connection {
  readonly socket: ClientSocket;
  /** What it writes to. */
  readonly wire: Duplex;
  /** The id of the request that opened it. */
  readonly id: string;
  /** Runs out unless the first message comes; null: it came. */
  silence: NodeJS.Timeout | null;
  /** From the first message; null before it was accepted. */
  secret: string | null;
  isAcknowledged: boolean;
  /** Who tells the socket of the end of its token; null: nobody does. */
  token: TokenWatch | null;
  /** How many operations there were. */
  count: number;
  /** How many are being admitted or executed, also those of which the client has enough. */
  working: number;
  /** A few, mostly one: a list of them takes a third of a map. */
  operations: readonly SocketOperation[];
  /** Who waits for everything to be sent; null: nobody does. */
  waiting: (() => void)[] | null;
}

/** One operation of a socket. */
export interface SocketOperation {
  readonly connection: Connection;
  /** Chosen by the client. */
  readonly id: string;
  /** The same as it stands in its messages. */
  readonly label: string;
  readonly observed: ObservedOperation;
  /** null: it is no subscription, or is not open yet. */
  reader: StreamReader<SocketOperation> | null;
}

export function createConnection(socket: ClientSocket, wire: Duplex, id: string): Connection {
  return {
    socket,
    wire,
    id: inOnePiece(id),
    silence: null,
    secret: null,
    isAcknowledged: false,
    token: null,
    count: 0,
    working: 0,
    operations: NONE,
    waiting: null,
  };
}

/** The same text without what it was put together from, or cut out of: where it is kept, that would be kept as well. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

/** Whether everything that was sent has left this process. */
export function isDrained({ socket }: Connection): boolean {
  return socket.readyState === socket.OPEN && socket.bufferedAmount === 0;
}

/** Fulfilled when everything has left, or the socket is closed. */
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
 * Writes nothing behind everything else, and is told when it was sent. What was written last may be of the library: a
 * ping, of whose end nobody is told. A socket that does not take any more is about to be closed, which wakes as well.
 */
function askWhenSent(connection: Connection): void {
  const { socket, wire } = connection;
  if (socket.readyState === socket.OPEN && wire.writable) wire.write(NOTHING, () => wake(connection));
}

/** Wakes those who wait, unless there is more to send by now. */
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

/** One result of an operation. */
export function sendNext({ connection, label }: SocketOperation, payload: NextPayload): void {
  const { socket, wire } = connection;
  if (socket.readyState === socket.OPEN) writeNext(wire, label, payload);
}

export function findOperation({ operations }: Connection, id: string): SocketOperation | undefined {
  return operations.find((operation) => operation.id === id);
}

export function addOperation(connection: Connection, operation: SocketOperation): void {
  // A list that is spread has room for sixteen more.
  connection.operations = connection.operations.concat([operation]);
}

export function isWanted(operation: SocketOperation): boolean {
  return operation.connection.operations.includes(operation);
}

export function forget(operation: SocketOperation): void {
  const { connection } = operation;
  connection.operations = connection.operations.filter((other) => other !== operation);
}
