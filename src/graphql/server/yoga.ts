import { GraphQLError } from "graphql";
import { createYoga, type YogaServerInstance } from "graphql-yoga";

import type { Tails } from "../../bus/tails.ts";
import type { Domain } from "../../domain/domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { useCharge } from "../execution/charge.ts";
import { useAdmission } from "../execution/admit.ts";
import { useEventStreams } from "./event-streams.ts";
import type { GraphqlContext, ServerContext } from "../kit/context.ts";
import { createDocumentCache } from "../execution/document-cache.ts";
import { Loaders } from "../kit/loader.ts";
import { createMaskError, type Report } from "./mask-error.ts";
import { useOperationFacts } from "../execution/operation-facts.ts";
import { type Executor, useExecutor } from "../execution/executor.ts";
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

export type Graphql = YogaServerInstance<ServerContext, GraphqlContext>;

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
  const counted = (shown: Error): Error => {
    options.onErrorCode?.(shown instanceof GraphQLError ? String(shown.extensions["code"]) : "INTERNAL");
    return shown;
  };
  const debug = (...parts: unknown[]): void => logger.debug(parts.map(String).join(" "));
  return createYoga<ServerContext, GraphqlContext>({
    schema,
    graphqlEndpoint: endpoint,
    context: ({ caller }) => ({ caller, domain, tails, epoch, cursorKeyOf, loaders: new Loaders(domain, caller) }),
    plugins: [useAdmission(), useOperationFacts(), useEventStreams(), useExecutor(executor), useCharge()],
    parserAndValidationCache: {
      documentCache: createDocumentCache(),
      // Refused documents are not worth memory.
      errorCache: { get: () => undefined, set: () => {} },
    },
    maskedErrors: { maskError: (error) => counted(maskError(error)), errorMessage: "Unexpected error." },
    // Yoga logs each error that it masks; `report` has it with its id already.
    logging: { debug, info: debug, warn: debug, error: debug },
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    maxRequestBodySize: LIMITS.requestBytes,
  });
}
