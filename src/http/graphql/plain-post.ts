import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExecutionResult, getOperationAST, type GraphQLError, OperationTypeNode } from "graphql";
import type { ServerContext } from "../../graphql/kit/context.ts";
import { type OperationRequest, prepareOperation } from "../../graphql/server/operation.ts";
import type { Graphql } from "../../graphql/server/yoga.ts";
import { GRAPHQL_PATH } from "../kit/request-path.ts";

/**
 * The short way for queries and mutations. Nine of ten requests are the same in everything but their operation: posted
 * as JSON to the very path, with JSON wanted back. For those, Yoga's HTTP layer, which builds a Request, a Response and
 * their streams, takes longer than executing the operation. Here they are answered directly; before, they go through
 * the same envelope: the same plugins, limits, caches, execution and masking.
 *
 * Whatever is not plainly such a request is Yoga's, to answer or to refuse: this file knows no refusals. So there is
 * one place only that says what is wrong with a request, and this one can be left out without anybody noticing.
 */
export async function answerPlainPost(
  graphql: Graphql,
  { request, body }: { request: IncomingMessage; body: Buffer },
  response: ServerResponse,
  server: ServerContext,
): Promise<"answered" | "left"> {
  const mediaType = plainMediaType(request);
  if (mediaType === null) return "left";
  const prepared = await prepare(graphql, server, readOperation(body));
  if (prepared === null) return "left";
  const result: ExecutionResult = await prepared.execute(prepared);
  if (response.destroyed) return "answered";
  const text = JSON.stringify(result.errors === undefined ? result : { ...result, errors: result.errors.map(toShown) });
  const length = Buffer.byteLength(text);
  response.writeHead(statusOf(result, mediaType), {
    "content-type": `${mediaType}; charset=utf-8`,
    "content-length": length,
  });
  // Text in ASCII is the same bytes in both, and nothing to convert in Latin-1.
  const encoding = length === text.length ? "latin1" : "utf8";
  response.end(length < LONG_TEXT ? text : Buffer.from(text, encoding), encoding);
  return "answered";
}

/**
 * Bytes. Node puts text behind the headers, which is one write, and copies it twice for that: of 215 KB that took
 * 250 us of CPU, as bytes 170.
 */
const LONG_TEXT = 32_768;

type MediaType = "application/json" | "application/graphql-response+json";

const JSON_TYPES: ReadonlySet<string | undefined> = new Set(["application/json", "application/json; charset=utf-8"]);

/** The media type of the answer where the headers are those of a plain request; null where they are not. */
function plainMediaType({ method, url, headers }: IncomingMessage): MediaType | null {
  const isPlain =
    method === "POST" &&
    url === GRAPHQL_PATH &&
    JSON_TYPES.has(headers["content-type"]) &&
    headers["content-encoding"] === undefined;
  return isPlain ? acceptedType(headers.accept) : null;
}

/** What Yoga answers with where there are several: the first that it has. null: it has none of them. */
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

/** null where it is not plainly an operation. */
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

/** null where it is not executed, or answered with a stream. */
async function prepare(graphql: Graphql, server: ServerContext, request: OperationRequest | null) {
  if (request === null) return null;
  const prepared = await prepareOperation(graphql, server, request);
  if (!("document" in prepared)) return null;
  const operation = getOperationAST(prepared.document, prepared.operationName);
  const isPlain =
    operation !== null && operation !== undefined && operation.operation !== OperationTypeNode.SUBSCRIPTION;
  return isPlain ? prepared : null;
}

/** An error as it is sent: what it says to this layer is not for the client. */
function toShown(error: GraphQLError): object {
  const { extensions = {}, ...shown } = error.toJSON();
  const { http: _http, unexpected: _unexpected, ...more } = extensions;
  return Object.keys(more).length === 0 ? shown : { ...shown, extensions: more };
}

/** The highest status that an error asks for; in plain JSON those of the specification are 200. */
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
