import { z } from "zod";
import type { SelfAnswer } from "../../ingestion/wire.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { BackOff, type RetryLimits } from "./back-off.ts";
import { ProtocolRefusal, readBody, sendOnce, retryUntilAnswered } from "./server-request.ts";

const selfSchema = z.object({
  pool: z.object({ id: z.string(), name: z.string(), organization: z.string() }).nullable(),
}) satisfies z.ZodType<SelfAnswer>;

const REFUSING_STATUSES: readonly number[] = [401, 403];

/** The server refused this runner's token. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";

  constructor(serverUrl: string, refusal: ProtocolRefusal) {
    super(
      `${serverUrl} does not accept the runner or its token (${refusal.message}). If the token was revoked, has expired or ` +
        "is another server's, create a new one in the pool.",
      { cause: refusal },
    );
  }
}

/** The token belongs to another pool than the runner was started for. */
export class WrongPool extends Error {
  override readonly name = "WrongPool";
}

/** The address answers, but not as a Holdpoint server. */
export class WrongServer extends Error {
  override readonly name = "WrongServer";

  constructor(serverUrl: string, cause: unknown) {
    super(`${serverUrl} does not answer like a Holdpoint server of this release. Check the address, with its path.`, {
      cause,
    });
  }
}

/** Gives whether a request was refused because of its token. */
export function isTokenRefusal(error: unknown): error is ProtocolRefusal {
  return error instanceof ProtocolRefusal && REFUSING_STATUSES.includes(error.status);
}

export interface PoolCheck {
  serverUrl: string;
  token: string;
  pool: string;
  limits: RetryLimits & Pick<RunnerLimits, "requestMs">;
  log: RunnerLog;
  signal: AbortSignal;
}

/**
 * Asks the server for the pool of the token, until it answers. Throws TokenRefused, WrongPool, WrongServer, or the
 * signal's reason.
 */
export async function checkPool({ serverUrl, token, pool, limits, log, signal }: PoolCheck): Promise<void> {
  const request = { method: "GET", path: "self", token, timeoutMs: limits.requestMs, signal };
  const attempt = async (): Promise<SelfAnswer> => {
    const body = await readBody(await sendOnce(serverUrl, request), signal);
    return selfSchema.parse(JSON.parse(Buffer.from(body).toString()));
  };
  const self = await retryUntilAnswered(attempt, { backOff: new BackOff(limits), signal, log }).catch(
    (error: unknown) => {
      if (isTokenRefusal(error)) throw new TokenRefused(serverUrl, error);
      throw signal.aborted ? error : new WrongServer(serverUrl, error);
    },
  );
  if (self.pool === null) throw new WrongPool(`The token belongs to no pool. Use a token of the pool "${pool}".`);
  const { name, organization } = self.pool;
  if (pool !== name && pool !== `${organization}/${name}`) {
    throw new WrongPool(
      `The token belongs to the pool "${name}" of ${organization}, not to "${pool}". Use a token of that pool.`,
    );
  }
  log.info({ pool: name, organization }, "The server has accepted the runner");
}
