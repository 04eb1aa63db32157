/** Limits of callers at the transports: points, uploads, open subscriptions. */
import type { ServerResponse } from "node:http";
import { OperationTypeNode } from "graphql";
import { retryMessage, retrySeconds } from "../../graphql/execution/charge.ts";
import type { CallerRates, LimitedCaller, OpenCount } from "../../model/limit/caller-rates.ts";
import type { Charge, ExhaustedCharge, OperationCost, QuotaPolicy } from "../../model/limit/charge.ts";
import { isEmpty } from "../../model/people/permission-set.ts";
import { type ActorCaller, countedCredential } from "../../model/people/permission.ts";
import { HttpError } from "./failure.ts";
import type { RefusedTokens } from "./refused-tokens.ts";

/** Whether a request of a route costs one point or counts as an upload; null: neither, or its handler takes the cost. */
export type RouteLimit = "point" | "upload" | null;

/** Takes the cost of one operation from the limits of its caller. */
export interface Meter {
  /** The charge that refuses a caller without points before its document is parsed; null if there are some. */
  check: () => ExhaustedCharge | null;
  charge: (type: OperationTypeNode, cost: OperationCost) => Charge;
  /** Takes a point for an operation that was refused before it was executed: parsing it has a cost too. */
  leave: () => void;
  /** Ends the count of the subscription as open; null if there is none. */
  counted: () => Disposable | null;
}

const REQUEST: OperationCost = { points: 1, nodes: 0 };

/**
 * Returns the credential of a caller and its organization, if its rights are in one organization alone. All sessions of
 * a person share their points, and those of a token have the token's: another sign-in must not give new ones.
 */
function limitedCaller(caller: ActorCaller): LimitedCaller {
  const { credential, openedBy, actor, rights } = caller;
  const { everywhere, organizations } = rights;
  const [organizationId = null] = organizations.size === 1 && isEmpty(everywhere) ? organizations.keys() : [];
  const isOfPerson = credential === "SESSION" && openedBy === undefined;
  return { credentialId: isOfPerson ? actor.id : countedCredential(caller), organizationId };
}

/** Takes the cost of a request that is no operation. Throws RATE_LIMITED. */
export function limitRequest(
  rates: CallerRates,
  limit: RouteLimit,
  caller: ActorCaller,
  response: ServerResponse,
): void {
  if (limit === null) return;
  if (limit === "point") {
    const charge = rates.charge(limitedCaller(caller), REQUEST);
    writeRateHeaders(response, charge);
    if (charge.type === "exhausted" || charge.type === "shed") throw rateLimited(retryMessage(charge));
    return;
  }
  const retryAfterMs = rates.upload(limitedCaller(caller).credentialId);
  if (retryAfterMs === 0) return;
  const seconds = retrySeconds(retryAfterMs);
  response.setHeader("retry-after", seconds);
  throw rateLimited(`This token has used all of its uploads. Try again in ${seconds} s.`);
}

export function createMeter(rates: CallerRates, caller: ActorCaller): Meter {
  const limited = limitedCaller(caller);
  let isCharged = false;
  let counted: OpenSubscription | null = null;
  return {
    check: () => rates.check(limited),
    charge(type, cost) {
      isCharged = true;
      if (type !== OperationTypeNode.SUBSCRIPTION) return rates.charge(limited, cost);
      const count = rates.open(limited.credentialId);
      if (count === null) return { type: "tooManyOpen", limit: rates.settings.subscriptions ?? 0 };
      const charge = rates.charge(limited, cost);
      if (charge.type === "charged") counted = new OpenSubscription(rates, count);
      else rates.close(count);
      return charge;
    },
    leave() {
      if (!isCharged) rates.charge(limited, REQUEST);
    },
    counted: () => counted,
  };
}

/** Takes the cost of an operation that comes over HTTP, and writes what is left into the headers of its answer. */
export interface HttpMeter {
  /** Refuses a caller without points before its document is parsed. Throws RATE_LIMITED. */
  enter: () => void;
  charge: Meter["charge"];
  leave: Meter["leave"];
}

export function createHttpMeter(rates: CallerRates, caller: ActorCaller, response: ServerResponse): HttpMeter {
  const meter = createMeter(rates, caller);
  return {
    enter() {
      const exhausted = meter.check();
      if (exhausted === null) return;
      writeRateHeaders(response, exhausted);
      throw new WithoutPoints(exhausted);
    },
    charge(type, cost) {
      const charge = meter.charge(type, cost);
      writeRateHeaders(response, charge);
      const counted = meter.counted();
      if (counted !== null) response.once("close", () => counted[Symbol.dispose]());
      return charge;
    },
    leave: meter.leave,
  };
}

/** A subscription that counts as open until it is disposed. A class: there may be ten thousand of them. */
class OpenSubscription implements Disposable {
  readonly #rates: CallerRates;
  #count: OpenCount | null;

  constructor(rates: CallerRates, count: OpenCount) {
    this.#rates = rates;
    this.#count = count;
  }

  [Symbol.dispose](): void {
    if (this.#count !== null) this.#rates.close(this.#count);
    this.#count = null;
  }
}

/** The error of a caller that has no points at all. */
class WithoutPoints extends HttpError {
  readonly retryAfterMs: number;

  constructor(charge: ExhaustedCharge) {
    super(429, "RATE_LIMITED", retryMessage(charge));
    this.retryAfterMs = charge.retryAfterMs;
  }
}

/** Refuses a token that has no points, without a look into the database. Throws RATE_LIMITED. */
export function refuseWithoutPoints(refused: RefusedTokens, secret: string): void {
  const retryAfterMs = refused.retryAfterMs(secret);
  if (retryAfterMs === 0) return;
  const message = retryMessage({ type: "exhausted", whose: "credential", retryAfterMs, quotas: [] });
  throw new HttpError(429, "RATE_LIMITED", message, { "retry-after": `${retrySeconds(retryAfterMs)}` });
}

/** Remembers the token of a request that was refused because its caller has no points. */
export function noteWithoutPoints(refused: RefusedTokens, secret: string, error: unknown): void {
  if (error instanceof WithoutPoints) refused.note(secret, error.retryAfterMs);
}

function rateLimited(message: string): HttpError {
  return new HttpError(429, "RATE_LIMITED", message);
}

/** Writes the headers of draft-ietf-httpapi-ratelimit-headers, and `Retry-After` for a request that is refused. */
function writeRateHeaders(response: ServerResponse, charge: Charge): void {
  if (response.headersSent) return;
  if ("retryAfterMs" in charge) response.setHeader("retry-after", retrySeconds(charge.retryAfterMs));
  if (!("quotas" in charge) || charge.quotas.length === 0) return;
  let policies = "";
  let quotas = "";
  for (const { policy, remaining, resetMs } of charge.quotas) {
    const separator = quotas === "" ? "" : ", ";
    policies += separator + policyText(policy);
    // `r` points remain; after `t` seconds all of them are available.
    quotas += `${separator}"${policy.whose}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
  }
  response.setHeader("ratelimit-policy", policies);
  response.setHeader("ratelimit", quotas);
}

/** Nearly every answer has the same ones. */
const policyTexts = new WeakMap<QuotaPolicy, string>();

/** `q` points are available in each `w` seconds. */
function policyText(policy: QuotaPolicy): string {
  let text = policyTexts.get(policy);
  if (text === undefined) {
    text = `"${policy.whose}";q=${policy.limit};w=${Math.ceil(policy.fullMs / 1000)}`;
    policyTexts.set(policy, text);
  }
  return text;
}
