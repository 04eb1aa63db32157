import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import { createYoga, type YogaServerInstance } from "graphql-yoga";

import type { Tails } from "../../bus/tails.ts";
import type { Domain } from "../../domain/domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { useAdmission } from "../execution/admit.ts";
import { useEventStreams } from "./event-streams.ts";
import type { GraphqlContext, ServerContext } from "../kit/context.ts";
import { createDocumentCache } from "../execution/document-cache.ts";
import { Loaders } from "../kit/loader.ts";
import { createMaskError, type Report } from "./mask-error.ts";
import { createOperationExecutor, type Executor, useExecutor } from "../execution/executor.ts";
import { schema } from "./schema.ts";

/** The log for messages of the library. Its errors go to `report`. */
export interface GraphqlLogger {
  debug(message: string): void;
}

export interface GraphqlOptions {
  domain: Domain;
  tails: Tails;
  report: Report;
  logger: GraphqlLogger;
  /** The epoch of the database. Absent if no backup was ever restored into it. */
  epoch?: string;
  /** Derives a key of 32 bytes for the cursors of one subject; all servers of an installation derive the same. */
  cursorKeyOf: (subjectId: string) => Uint8Array;
  /** By default `compiled`. */
  executor?: Executor;
  /** Receives the code of every top-level error that is sent. */
  onErrorCode?: (code: string) => void;
  /** The path of the endpoint. */
  endpoint?: string;
}

/** A query or a mutation whose document was admitted. */
export interface AdmittedOperation {
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export interface Graphql extends YogaServerInstance<ServerContext, GraphqlContext> {
  /** The parsed documents, by their text. */
  readonly documents: Pick<ReadonlyMap<string, DocumentNode>, "get">;
  /**
   * Executes an operation as Yoga does, without its envelope. The envelope calls the hooks of all plugins for each
   * operation, which takes 5 us: as much as the execution of a small query.
   */
  executeDirectly(server: ServerContext, operation: AdmittedOperation): Promise<ExecutionResult>;
}

/**
 * Creates the GraphQL endpoint. Requests are authenticated before they reach it: each brings its caller. So does each
 * operation of a WebSocket, which `prepareOperation` prepares.
 */
export function createGraphql(options: GraphqlOptions): Graphql {
  const {
    domain,
    tails,
    report,
    logger,
    cursorKeyOf,
    epoch = "",
    executor = "compiled",
    endpoint = "/graphql",
  } = options;
  const maskError = createMaskError(report);
  const mask = (error: unknown): GraphQLError => {
    const shown = maskError(error);
    options.onErrorCode?.(String(shown.extensions["code"]));
    return shown;
  };
  const debug = (...parts: unknown[]): void => logger.debug(parts.map(String).join(" "));
  const operations = createOperationExecutor(executor);
  const documents = createDocumentCache<DocumentNode>();
  const contextOf = ({ caller }: ServerContext): GraphqlContext => ({
    caller,
    domain,
    tails,
    epoch,
    cursorKeyOf,
    loaders: new Loaders(domain, caller),
  });
  const yoga = createYoga<ServerContext, GraphqlContext>({
    schema,
    graphqlEndpoint: endpoint,
    context: contextOf,
    plugins: [useAdmission(), useEventStreams(), useExecutor(operations)],
    parserAndValidationCache: {
      documentCache: documents,
      // Refused documents are not worth memory.
      errorCache: { get: () => undefined, set: () => {} },
    },
    maskedErrors: { maskError: mask, errorMessage: "Unexpected error." },
    // Yoga logs each error that it masks; `report` has it with its id already.
    logging: { debug, info: debug, warn: debug, error: debug },
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    maxRequestBodySize: LIMITS.requestBytes,
  });
  return Object.assign(yoga, {
    documents,
    async executeDirectly(
      server: ServerContext,
      { document, operationName, variables: variableValues }: AdmittedOperation,
    ): Promise<ExecutionResult> {
      const contextValue = { ...server, ...contextOf(server) };
      const result = await operations.execute({ schema, document, operationName, variableValues, contextValue });
      return result.errors === undefined ? result : { ...result, errors: result.errors.map(mask) };
    },
  });
}
