import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExecutionResult, getOperationAST, type GraphQLError, OperationTypeNode } from "graphql";
import type { ServerContext } from "../../graphql/kit/context.ts";
import { admitDocument, type OperationRequest } from "../../graphql/server/operation.ts";
import type { AdmittedOperation, Graphql } from "../../graphql/server/yoga.ts";
import { GRAPHQL_PATH } from "../kit/request-path.ts";

/**
 * Answers queries and mutations that are posted as JSON, without Yoga's HTTP layer. Nine of ten requests are of this
 * form. For them that layer, which builds a Request, a Response and their streams, takes longer than the execution.
 * Documents are parsed and validated as Yoga does it, and limits, execution and masking are those of Yoga's operations.
 *
 * Gives "left" for every other request: Yoga answers or refuses it. This file refuses nothing, so errors of requests have
 * one source, and clients see no difference without this file.
 */
export async function answerPlainPost(
  graphql: Graphql,
  { request, body }: { request: IncomingMessage; body: Buffer },
  response: ServerResponse,
  server: ServerContext,
): Promise<"answered" | "left"> {
  const mediaType = plainMediaType(request);
  if (mediaType === null) return "left";
  const operation = admit(graphql, server, readOperation(body));
  if (operation === null) return "left";
  const result = await graphql.executeDirectly(server, operation);
  if (response.destroyed) return "answered";
  const text = JSON.stringify(result.errors === undefined ? result : { ...result, errors: result.errors.map(toShown) });
  const length = Buffer.byteLength(text);
  response.writeHead(statusOf(result, mediaType), {
    "content-type": `${mediaType}; charset=utf-8`,
    "content-length": length,
  });
  // ASCII text has the same bytes in both, and needs no conversion in Latin-1.
  const encoding = length === text.length ? "latin1" : "utf8";
  response.end(length < LONG_TEXT ? text : Buffer.from(text, encoding), encoding);
  return "answered";
}

/**
 * Longer texts are sent as bytes. Node joins a text with the headers into one write and copies it twice: 215 KB took
 * 250 us of CPU as text, 170 as bytes.
 */
const LONG_TEXT = 32_768;

type MediaType = "application/json" | "application/graphql-response+json";

const JSON_TYPES: ReadonlySet<string | undefined> = new Set(["application/json", "application/json; charset=utf-8"]);

/** Gives the media type of the answer if the headers are those of a plain request; null otherwise. */
function plainMediaType({ method, url, headers }: IncomingMessage): MediaType | null {
  const isPlain =
    method === "POST" &&
    url === GRAPHQL_PATH &&
    JSON_TYPES.has(headers["content-type"]) &&
    headers["content-encoding"] === undefined;
  return isPlain ? acceptedType(headers.accept) : null;
}

/** Chooses as Yoga does: the first accepted type that is supported; null if none is. */
function acceptedType(accept = "*/*"): MediaType | null {
  for (const part of accept.replace(/\s/g, "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = part.split(";");
    const charset = parameters.find((parameter) => parameter.includes("charset="));
    if (charset !== undefined && charset !== "charset=utf-8") continue;
    if (type === "application/graphql-response+json") return type;
    if (type === "application/json" || type === "application/*" || type === "*/*") return "application/json";
  }
  return null;
}

/** Reads the operation of a body; null if the body has another form. */
function readOperation(body: Buffer): OperationRequest | null {
  let asked: unknown;
  try {
    asked = JSON.parse(body.toString());
  } catch {
    return null;
  }
  if (!isObject(asked)) return null;
  const { query, variables, operationName, extensions, ...more } = asked;
  const isPlain =
    typeof query === "string" &&
    (operationName === undefined || operationName === null || typeof operationName === "string") &&
    (extensions === undefined || isObject(extensions)) &&
    Object.keys(more).length === 0;
  if (!isPlain) return null;
  if (variables === undefined || variables === null) return { query, operationName };
  return isObject(variables) ? { query, operationName, variables } : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Admits a query or a mutation; null if it is refused, or a subscription. */
function admit(graphql: Graphql, server: ServerContext, request: OperationRequest | null): AdmittedOperation | null {
  if (request === null) return null;
  const document = admitDocument(graphql, server, request);
  if (!("kind" in document)) return null;
  const { operationName, variables } = request;
  const operation = getOperationAST(document, operationName);
  const isPlain =
    operation !== null && operation !== undefined && operation.operation !== OperationTypeNode.SUBSCRIPTION;
  return isPlain ? { document, operationName, variables } : null;
}

/** Formats an error for the client, without the extensions that are meant for this layer. */
function toShown(error: GraphQLError): object {
  const { extensions = {}, ...shown } = error.toJSON();
  const { http: _http, unexpected: _unexpected, ...more } = extensions;
  return Object.keys(more).length === 0 ? shown : { ...shown, extensions: more };
}

/** Gives the highest status among the errors; in plain JSON those of the specification are 200. */
function statusOf({ errors = [] }: ExecutionResult, mediaType: MediaType): number {
  let status = 0;
  for (const { extensions } of errors) {
    const { http } = extensions;
    if (!isObject(http) || typeof http["status"] !== "number") continue;
    if (mediaType === "application/json" && http["spec"] === true) continue;
    status = Math.max(status, http["status"]);
  }
  return status === 0 ? 200 : status;
}
