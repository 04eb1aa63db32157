import { type DocumentNode, GraphQLError, type GraphQLSchema } from "graphql";

import type { GraphqlContext, ServerContext } from "../kit/context.ts";
import type { Graphql } from "./yoga.ts";

/** An operation as a transport other than HTTP receives it. */
export interface OperationRequest {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** Everything that executing an operation takes; `execute` and `subscribe` are those of the same envelope. */
export interface PreparedOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | undefined;
  variableValues: Record<string, unknown> | undefined;
  contextValue: GraphqlContext;
  execute: ReturnType<Graphql["getEnveloped"]>["execute"];
  subscribe: ReturnType<Graphql["getEnveloped"]>["subscribe"];
}

/** The document of an operation, or what is wrong with it. Of one that is prepared later: a context is not cheap. */
export function admitDocument(
  graphql: Graphql,
  server: ServerContext,
  request: OperationRequest,
): DocumentNode | readonly GraphQLError[] {
  const known = graphql.documents.get(request.query);
  if (known !== undefined && valid.has(known)) return known;
  const { schema, parse, validate } = graphql.getEnveloped({ ...server });
  return readDocument({ schema, parse, validate }, request);
}

/**
 * The documents that were found valid. Yoga keeps the result of a validation as well, but runs the hooks of all plugins
 * before it finds it, which is a tenth of the CPU time of a small query.
 */
const valid = new WeakSet<DocumentNode>();

function readDocument(
  { schema, parse, validate }: Pick<ReturnType<Graphql["getEnveloped"]>, "schema" | "parse" | "validate">,
  request: OperationRequest,
): DocumentNode | readonly GraphQLError[] {
  let document: DocumentNode;
  try {
    document = parse(request.query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return [withoutHttp(error)];
  }
  if (valid.has(document)) return document;
  const errors = validate(schema, document);
  if (errors.length > 0) return errors.map(withoutHttp);
  valid.add(document);
  return document;
}

/**
 * Parses and validates an operation of a WebSocket as Yoga does with those of HTTP: the same limits, the same cache,
 * a context of its own. What is wrong with the document is returned, never thrown, so that the socket stays open.
 */
export async function prepareOperation(
  graphql: Graphql,
  server: ServerContext,
  request: OperationRequest,
): Promise<PreparedOperation | readonly GraphQLError[]> {
  // A copy: the envelope writes its own things into the context that it is given.
  const { schema, parse, validate, contextFactory, execute, subscribe } = graphql.getEnveloped({ ...server });
  const document = readDocument({ schema, parse, validate }, request);
  if (!("kind" in document)) return document;
  return {
    schema,
    document,
    operationName: request.operationName ?? undefined,
    variableValues: request.variables ?? undefined,
    contextValue: await contextFactory(),
    execute,
    subscribe,
  };
}

/** The status of an HTTP response means nothing here. */
export function withoutHttp(error: GraphQLError): GraphQLError {
  const { http: _http, ...extensions } = error.extensions;
  const { message, nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
