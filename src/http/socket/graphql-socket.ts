import { type DocumentNode, type ExecutionResult, GraphQLError, type OperationTypeNode } from "graphql";
import { CloseCode, type Message, MessageType, parseMessage, type SubscribeMessage } from "graphql-ws";
import type { ServerContext } from "../../graphql/kit/context.ts";
import type { OperationRequest, PreparedOperation } from "../../graphql/server/operation.ts";
import type { SharedStreams } from "../../graphql/server/shared-streams.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  addOperation,
  type Connection,
  drained,
  findOperation,
  forget,
  isWanted,
  sendNext,
  sendText,
  type SocketOperation,
  wake,
} from "./client-socket.ts";
import { labelOf, toPayload } from "./next-frame.ts";
import type { OperationObserver } from "../observe/observe-operations.ts";

export interface SocketDeps {
  observed: OperationObserver;
  streams: SharedStreams<SocketOperation>;
  /** Whether the parameters of the first message are accepted. Closes the socket with a code of its own if not. */
  accept: (connection: Connection, parameters: Record<string, unknown>) => Promise<boolean>;
  /** Gives the caller and the document of an operation, or the errors that refuse it. */
  admit: (connection: Connection, request: OperationRequest) => Promise<Admitted | readonly GraphQLError[]>;
  prepare: (server: ServerContext, request: OperationRequest) => Promise<PreparedOperation | readonly GraphQLError[]>;
}

export interface Admitted {
  type: OperationTypeNode;
  document: DocumentNode;
  server: ServerContext;
  /** Ends the count of a subscription as open; null if it is not counted. */
  counted: Disposable | null;
}

/** Replaces a message that cannot be parsed: a type that a client must not send. */
const NO_MESSAGE: Message = { type: MessageType.ConnectionAck };
/** The unread bytes of a client after which nothing more is read from it. */
const UNREAD_BYTES = 64 * 1024;
const TOO_MANY = `A socket may have at most ${LIMITS.subscriptionsPerSocket} operations at a time. Complete one first.`;

/** Ends an operation with these errors. */
export function sendErrors(operation: SocketOperation, errors: readonly GraphQLError[]): void {
  const { connection, id } = operation;
  sendText(connection, JSON.stringify({ id, type: MessageType.Error, payload: errors }));
  forget(operation);
}

export function sendComplete(operation: SocketOperation): void {
  const { connection, id } = operation;
  sendText(connection, JSON.stringify({ id, type: MessageType.Complete }));
  forget(operation);
}

/** Ends all operations of a closed socket. */
export function closed(deps: SocketDeps, connection: Connection): void {
  clearInitTimer(connection);
  for (const operation of connection.operations) stop(deps, operation);
  connection.token?.leave(connection.socket);
  wake(connection);
}

/** Stops an operation that the client completed. A query or a mutation continues, but its result is not sent. */
function stop({ streams, observed }: SocketDeps, operation: SocketOperation): void {
  forget(operation);
  if (operation.reader === null) return;
  streams.leave(operation.reader);
  observed.ended(operation.observed);
}

/**
 * Handles a message of graphql-transport-ws, as the server of the graphql-ws package does: the same codes in the same
 * cases, but 4400 also for messages that only servers send. That server is not used because it builds each message for
 * each client, and keeps more memory for an idle client than a socket takes.
 */
export async function receive(deps: SocketDeps, connection: Connection, text: string): Promise<void> {
  pauseUnread(connection);
  const message = parsed(text);
  switch (message.type) {
    case MessageType.ConnectionInit:
      return initialise(deps, connection, message.payload ?? {});
    case MessageType.Ping:
      return sendText(connection, JSON.stringify({ type: MessageType.Pong, payload: message.payload }));
    case MessageType.Pong:
      return;
    case MessageType.Subscribe:
      return begin(deps, connection, message);
    case MessageType.Complete: {
      const operation = findOperation(connection, message.id);
      if (operation !== undefined) stop(deps, operation);
      return;
    }
    // Not a message, or one that only servers send.
    case MessageType.ConnectionAck:
    case MessageType.Next:
    case MessageType.Error:
      connection.socket.close(CloseCode.BadRequest, "Invalid message received");
  }
}

/** Pauses a client that sends messages and reads no answers, until it reads. */
function pauseUnread(connection: Connection): void {
  const { socket, waiting } = connection;
  const isBehind = socket.bufferedAmount >= UNREAD_BYTES || (waiting?.length ?? 0) > LIMITS.subscriptionsPerSocket;
  if (!isBehind || socket.isPaused || socket.readyState !== socket.OPEN) return;
  socket.pause();
  void drained(connection).then(() => socket.resume());
}

function parsed(text: string): Message {
  try {
    return parseMessage(text);
  } catch {
    return NO_MESSAGE;
  }
}

async function initialise(deps: SocketDeps, connection: Connection, payload: Record<string, unknown>): Promise<void> {
  if (connection.secret !== null) {
    connection.socket.close(CloseCode.TooManyInitialisationRequests, "Too many initialisation requests");
    return;
  }
  connection.secret = "";
  clearInitTimer(connection);
  if (!(await deps.accept(connection, payload))) return;
  connection.isAcknowledged = true;
  sendText(connection, JSON.stringify({ type: MessageType.ConnectionAck }));
}

function clearInitTimer(connection: Connection): void {
  if (connection.initTimer !== null) clearTimeout(connection.initTimer);
  connection.initTimer = null;
}

async function begin(deps: SocketDeps, connection: Connection, { id, payload }: SubscribeMessage): Promise<void> {
  const { socket, operations, isAcknowledged } = connection;
  if (!isAcknowledged) return socket.close(CloseCode.Unauthorized, "Unauthorized");
  if (findOperation(connection, id) !== undefined) {
    return socket.close(CloseCode.SubscriberAlreadyExists, shortened(`Subscriber for ${id} already exists`));
  }
  // Operations run to their end, also those that were completed early: a client cannot have more by completing them.
  const isTooMany = Math.max(operations.length, connection.working) >= LIMITS.subscriptionsPerSocket;
  connection.count += 1;
  const facts = deps.observed.begin(connection.id, connection.count);
  const operation: SocketOperation = {
    connection,
    id,
    label: labelOf(id),
    observed: facts,
    reader: null,
    counted: null,
  };
  addOperation(connection, operation);
  const { query, operationName, variables } = payload;
  connection.working += 1;
  try {
    await deps.observed.run(facts, () => serve(deps, operation, { query, operationName, variables }, isTooMany));
  } finally {
    connection.working -= 1;
  }
}

async function serve(
  deps: SocketDeps,
  operation: SocketOperation,
  request: OperationRequest,
  isTooMany: boolean,
): Promise<void> {
  const { observed, streams } = deps;
  const admitted = isTooMany ? [refusal(TOO_MANY)] : await deps.admit(operation.connection, request);
  if (!("document" in admitted)) {
    observed.refused(admitted.map(({ extensions }) => extensions["code"]));
    if (isWanted(operation)) sendErrors(operation, admitted);
    observed.ended(operation.observed);
    return;
  }
  const { type, document, server, counted } = admitted;
  if (type !== "subscription") {
    await execute(deps, operation, server, request);
  } else if (isWanted(operation)) {
    operation.counted = counted;
    operation.reader = streams.subscribe({ request, document, ...server }, operation);
  } else {
    counted?.[Symbol.dispose]();
    observed.ended(operation.observed);
  }
}

/** Creates the error of an operation that is not executed. */
export function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "QUERY_REFUSED" } });
}

/** Shortens a reason for closing, which has room for 123 bytes. */
function shortened(reason: string): string {
  return Buffer.byteLength(reason) < 124 ? reason : "Subscriber already exists";
}

/** Executes a query or a mutation. It counts until its answer has left, so that the limit holds for slow readers. */
async function execute(
  { observed, prepare }: SocketDeps,
  operation: SocketOperation,
  server: ServerContext,
  request: OperationRequest,
): Promise<void> {
  const { connection, id } = operation;
  try {
    const prepared = await prepare(server, request);
    if (!("document" in prepared)) {
      if (isWanted(operation)) sendErrors(operation, prepared);
      return;
    }
    const result: ExecutionResult = await prepared.execute(prepared);
    if (!isWanted(operation)) return;
    sendNext(operation, toPayload(result));
    sendText(connection, JSON.stringify({ id, type: MessageType.Complete }));
    await drained(connection);
    forget(operation);
  } finally {
    observed.ended(operation.observed);
  }
}
