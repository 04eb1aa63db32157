/** One error of a GraphQL answer, as far as a client can act on it. */
export interface AnswerError {
  readonly message: string;
  /** `extensions.code`, where the server gave one. */
  readonly code: string | undefined;
}

/** A failure between this client and the server. The message is for a person. */
export class ClientError extends Error {
  override name = "ClientError";
}

/** The server does not take the token: wrong, revoked or expired. Trying again with the same one is no use. */
export class UnauthenticatedError extends ClientError {
  override name = "UnauthenticatedError";
}

/** The server cannot be reached, or does not answer any more after all retries. */
export class UnreachableError extends ClientError {
  override name = "UnreachableError";
}

/** The server answered, but not with data: top-level GraphQL errors, or something that is not GraphQL at all. */
export class RequestError extends ClientError {
  override name = "RequestError";
  readonly errors: readonly AnswerError[];

  constructor(message: string, errors: readonly AnswerError[] = []) {
    super(message);
    this.errors = errors;
  }
}

/**
 * Makes an error of the `errors` of an answer. The input comes from the network, so nothing about it is taken for
 * granted.
 */
export function errorOfAnswer(errors: readonly unknown[]): ClientError {
  const parsed = errors.map(parseAnswerError);
  const message = parsed.map((error) => error.message).join("; ") || "The server answered with an error.";
  if (parsed.some((error) => error.code === "UNAUTHENTICATED")) return new UnauthenticatedError(message);
  return new RequestError(message, parsed);
}

function parseAnswerError(error: unknown): AnswerError {
  if (!isRecord(error)) return { message: "unknown error", code: undefined };
  const extensions = isRecord(error["extensions"]) ? error["extensions"] : {};
  const text = typeof error["message"] === "string" ? error["message"] : "unknown error";
  const errorId = extensions["errorId"];
  return {
    message: typeof errorId === "string" ? `${text} (error id ${errorId}, see the server's log)` : text,
    code: typeof extensions["code"] === "string" ? extensions["code"] : undefined,
  };
}

/** Whether a value from outside is an object whose members may be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
