import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { ServerContext } from "../kit/context.ts";
import type { OperationRequest } from "./operation.ts";

/**
 * How a transport serves its subscribers, whatever those are to it. Functions of a subscriber and not its methods: ten
 * thousand of them wait at a time.
 */
export interface Transport<Subscriber, Payload> {
  /** A result in the form in which it is sent to everybody. */
  toPayload(result: ExecutionResult): Payload;
  /** Whether everything that it was sent has left this process. */
  isReady(subscriber: Subscriber): boolean;
  /** Fulfilled when it is ready, or gone. */
  ready(subscriber: Subscriber): Promise<void>;
  /** The stream was opened; a failure that is an answer comes as one item, without this. */
  opened(subscriber: Subscriber): void;
  /** It does not wait. */
  next(subscriber: Subscriber, payload: Payload): void;
  complete(subscriber: Subscriber): void;
  /** Reports something unexpected that ended a stream, and gives what its subscribers are told. */
  toError(error: unknown): GraphQLError;
  fail(subscriber: Subscriber, error: GraphQLError): void;
}

export interface SubscribeRequest {
  request: OperationRequest;
  document: DocumentNode;
  caller: TokenCaller;
  note?: ServerContext["note"];
}

export interface SharedStreamsDeps<Subscriber, Payload> {
  schema: GraphQLSchema;
  transport: Transport<Subscriber, Payload>;
  /** Executes a subscription; what is not an iterator is its only result. */
  open: (server: ServerContext, request: OperationRequest) => Promise<OpenedStream>;
  /** Does work that belongs to no request of anybody, in the name of these facts. */
  runAs: (facts: StreamFacts, work: () => void) => void;
}

export type OpenedStream = AsyncIterableIterator<ExecutionResult> | ExecutionResult;

/** What the log says about the executions of an operation. */
export interface StreamFacts {
  requestId: string;
  operation?: string;
  runId?: string;
}
