import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { ServerContext } from "../kit/context.ts";
import type { OperationRequest } from "./operation.ts";

/**
 * The way in which a transport serves its subscribers, of any type. These are functions of a subscriber and not its
 * methods, because ten thousand subscribers wait at a time.
 */
export interface Transport<Subscriber, Payload> {
  /** Returns a text that is equal for subscribers of one credential. */
  credentialOf(subscriber: Subscriber): string;
  /** Closes the connection of a subscriber whose credential has ended, or who has lost a right. */
  refuse(subscriber: Subscriber, how: "ENDED" | "LESS_RIGHTS"): void;
  /** Turns a result into the form in which it is sent to all subscribers. */
  toPayload(result: ExecutionResult): Payload;
  /** Whether all its messages have left this process. */
  isReady(subscriber: Subscriber): boolean;
  /** Resolves when the subscriber is ready, or has disconnected. */
  ready(subscriber: Subscriber): Promise<void>;
  /** Called when the stream was opened. A request that fails gets one item, without this call. */
  opened(subscriber: Subscriber): void;
  /** Sends an item without waiting. */
  next(subscriber: Subscriber, payload: Payload): void;
  complete(subscriber: Subscriber): void;
  /** Reports an unexpected error that ended a stream; returns the error that its subscribers get. */
  toError(error: unknown): GraphQLError;
  fail(subscriber: Subscriber, error: GraphQLError): void;
}

export interface SubscribeRequest {
  request: OperationRequest;
  document: DocumentNode;
  caller: ActorCaller;
  note?: ServerContext["note"];
}

export interface SharedStreamsDeps<Subscriber, Payload> {
  schema: GraphQLSchema;
  transport: Transport<Subscriber, Payload>;
  /** Opens a subscription. A result that is not an iterator is its only one. */
  open: (server: ServerContext, request: OperationRequest) => Promise<OpenedStream>;
  /** Returns the caller of a subscriber with its rights of now; `null` if its credential is not in force. */
  authenticate: (subscriber: Subscriber) => Promise<ActorCaller | null>;
  /** Runs work that belongs to no request; the log shows it with these facts. */
  runAs: (facts: StreamFacts, work: () => void) => void;
}

export type OpenedStream = AsyncIterableIterator<ExecutionResult> | ExecutionResult;

/** The facts that the log shows about the executions of an operation. */
export interface StreamFacts {
  requestId: string;
  operation?: string;
  runId?: string;
}
