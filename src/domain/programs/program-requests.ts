/** Programs that ask a person for a token: by a code that the person types, or by the browser of the person. */
import { hash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { newUserCode, type ProgramRequest, userCodeOf } from "../../model/people/program.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import {
  decideProgramRequest,
  findOpenProgramRequest,
  insertProgramRequest,
  lockProgramRequest,
  type NewProgramRequest,
  noteProgramToken,
  notePoll,
  type StoredProgramRequest,
} from "../../persistence/people/program-request-store.ts";
import { revokeToken } from "../../persistence/people/token-store.ts";
import { isPresent, requirePresence } from "../access/presence.ts";
import type { Deps } from "../kit/deps.ts";
import { endTokenSessions } from "../token/token-sessions.ts";
import { hashSecret } from "../token/secret.ts";
import { type IssuedToken, issueToken } from "./issue-token.ts";

/** Why a program gets no token, in the words of OAuth (RFC 6749, RFC 8628). */
export type GrantError = "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";

/** The answer to a program that asks for its token. */
export type GrantResult = { readonly token: IssuedToken } | { readonly error: GrantError };

/** A request that a program has begun. Both codes are stored as digests alone. */
export interface BegunRequest {
  deviceCode: string;
  /** The code that the person types. */
  userCode: string;
  expiresInS: number;
  intervalS: number;
}

export interface ProgramRequests {
  /**
   * Whether a caller can answer programs: a person in a browser who lately proved to be present. Otherwise a cookie in
   * other hands would become a token.
   */
  mayAnswer(caller: ActorCaller): boolean;
  /** Begins a request that a person answers on another device. */
  begin(request: ProgramRequest): Promise<BegunRequest>;
  /** Returns the request with a code as a person typed it; `null` if there is none that can still be answered. */
  find(typed: string): Promise<ProgramRequest | null>;
  /** Answers a request for the person; `false` if it can be answered no more. */
  decide(person: ActorCaller, typed: string, allowed: boolean): Promise<boolean>;
  /** Fetches the token of a request that `begin` began. */
  fetchByDevice(client: string, deviceCode: string): Promise<GrantResult>;
  /** Allows the program of the browser's machine a token. Returns the code that the browser brings to it. */
  allow(person: ActorCaller, request: ProgramRequest, redirect: Redirect): Promise<string>;
  /** Fetches the token of a code. It is good once, for the program that can prove that it began the request. */
  fetchByCode(client: string, proof: CodeProof): Promise<GrantResult>;
}

/** Where the browser brings the code, and the challenge of PKCE. */
export interface Redirect {
  redirectUri: string;
  challenge: string;
}

export interface CodeProof {
  code: string;
  redirectUri: string;
  verifier: string;
}

const DEVICE_PREFIX = "hpd_";
const CODE_PREFIX = "hpc_";
const SECRET_BYTES = 32;
/** Two requests with one code of 34 bits are rare. */
const TRIES = 5;
const DAY_S = 24 * 60 * 60;

type RequestDeps = Pick<Deps, "database" | "clock" | "newId" | "randomBytes" | "cipher" | "publicUrl">;

export function createProgramRequests(deps: RequestDeps): ProgramRequests {
  const { database, clock, randomBytes } = deps;
  const newCode = (prefix: string): string => prefix + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
  /** A plain digest of so few bits could be reversed. */
  const macOf = (userCode: string): Buffer => deps.cipher.mac("user-code", userCode);

  function timesOf(ms: number) {
    const at = clock();
    return { createdAt: at.toISOString(), expiresAt: new Date(at.getTime() + ms).toISOString() };
  }

  /** Fetches a token by a secret, whose row stays locked: of two programs with one secret, one gets the token. */
  function fetch(
    secret: string,
    client: string,
    check: (tx: Transaction, request: StoredProgramRequest, at: Date) => Promise<GrantError | null>,
  ): Promise<GrantResult> {
    const secretHash = hashSecret(secret);
    return database.transaction(async (tx) => {
      const request = await lockProgramRequest(tx, secretHash);
      if (request === null || request.client !== client) return { error: "invalid_grant" };
      const at = clock();
      const error = await check(tx, request, at);
      if (error !== null) return { error };
      const owner = request.actorId === null ? null : await findEnabledActor(tx, request.actorId);
      if (owner === null) return { error: "access_denied" };
      const { permissions, address } = request;
      const name = address === null ? client : `${client} at ${address}`;
      const asked = { actor: owner.actor, name, permissions, seconds: LIMITS.programTokenDays * DAY_S };
      const token = await issueToken(tx, deps, asked, at);
      await noteProgramToken(tx, secretHash, token.tokenId);
      return { token };
    });
  }

  /** A program that asks too often must wait longer from then on. */
  async function notePollAt(tx: Transaction, secretHash: Buffer, request: StoredProgramRequest, at: Date) {
    const { polledAt, pollMs } = request;
    const isSoon = polledAt !== null && at.getTime() - Date.parse(polledAt) < pollMs - LIMITS.pollToleranceMs;
    const next = isSoon ? pollMs + LIMITS.slowDownMs : pollMs;
    await notePoll(tx, secretHash, { at: at.toISOString(), pollMs: next });
    return isSoon ? "slow_down" : "authorization_pending";
  }

  return {
    mayAnswer: (caller) => isPresent(caller, clock()),
    async begin(request) {
      const deviceCode = newCode(DEVICE_PREFIX);
      for (let tried = 0; tried < TRIES; tried += 1) {
        const userCode = newUserCode(randomBytes);
        const asked: NewProgramRequest = {
          ...request,
          ...timesOf(LIMITS.deviceCodeMs),
          secretHash: hashSecret(deviceCode),
          answer: { userCodeMac: macOf(userCode) },
          pollMs: LIMITS.devicePollMs,
        };
        if (await database.transaction((tx) => insertProgramRequest(tx, asked))) {
          const times = { expiresInS: LIMITS.deviceCodeMs / 1000, intervalS: LIMITS.devicePollMs / 1000 };
          return { deviceCode, userCode, ...times };
        }
      }
      throw new Error("No code for a person is free.");
    },
    async find(typed) {
      const userCode = userCodeOf(typed);
      return userCode === null ? null : findOpenProgramRequest(database, macOf(userCode), clock().toISOString());
    },
    async decide(person, typed, allowed) {
      const userCode = userCodeOf(typed);
      if (userCode === null) return false;
      await requirePresent(deps, person);
      const decision = { actorId: person.actor.id, decision: allowed ? "ALLOWED" : "DENIED" } as const;
      const at = clock().toISOString();
      return database.transaction((tx) => decideProgramRequest(tx, macOf(userCode), { ...decision, at }));
    },
    fetchByDevice(client, deviceCode) {
      if (!deviceCode.startsWith(DEVICE_PREFIX)) return INVALID;
      return fetch(deviceCode, client, async (tx, request, at) => {
        if (request.tokenId !== null) return "invalid_grant";
        if (request.expiresAt <= at.toISOString()) return "expired_token";
        if (request.decision === "DENIED") return "access_denied";
        if (request.decision === null) return notePollAt(tx, hashSecret(deviceCode), request, at);
        return null;
      });
    },
    async allow(person, request, { redirectUri, challenge }) {
      await requirePresent(deps, person);
      const code = newCode(CODE_PREFIX);
      const answer = { redirectUri, challenge, actorId: person.actor.id };
      const asked = { ...request, ...timesOf(LIMITS.redirectCodeMs), secretHash: hashSecret(code), answer, pollMs: 0 };
      await database.transaction((tx) => insertProgramRequest(tx, asked));
      return code;
    },
    fetchByCode(client, { code, redirectUri, verifier }) {
      if (!code.startsWith(CODE_PREFIX)) return INVALID;
      return fetch(code, client, async (tx, request, at) => {
        if (request.redirectUri !== redirectUri || request.challenge !== challengeOf(verifier)) return "invalid_grant";
        if (request.tokenId !== null) {
          await revokeUsedTwice(tx, request.tokenId, at);
          return "invalid_grant";
        }
        if (request.expiresAt <= at.toISOString()) return "invalid_grant";
        return null;
      });
    },
  };
}

const INVALID: Promise<GrantResult> = Promise.resolve({ error: "invalid_grant" });

/**
 * Throws REAUTHENTICATION_REQUIRED unless the person has lately signed in. A session of a token answers no more than the token:
 * the program would get a token with all rights of the person.
 */
async function requirePresent(deps: RequestDeps, caller: ActorCaller): Promise<void> {
  if (caller.credential !== "SESSION" || caller.openedBy !== undefined) throw new Error("A token answers no program.");
  await requirePresence(deps, caller);
}

/** The challenge of a verifier by the method S256 (RFC 7636). */
function challengeOf(verifier: string): string {
  return hash("sha256", verifier, "base64url");
}

/** A code that is used twice was copied together with its verifier: the first token ends too (RFC 6749, 4.1.2). */
async function revokeUsedTwice(tx: Transaction, tokenId: string, at: Date): Promise<void> {
  await revokeToken(tx, tokenId, at.toISOString());
  await endTokenSessions(tx, tokenId, at.toISOString());
}
