/** Programs that ask a person for a token. */
import type { Selectable } from "kysely";
import { type Permission, PERMISSIONS } from "../../model/people/permission-set.ts";
import type { ProgramRequest } from "../../model/people/program.ts";
import { wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

const DECISIONS = ["ALLOWED", "DENIED"] as const;
export type ProgramDecision = (typeof DECISIONS)[number];

/** A code that the person types (`userCodeMac`: its keyed digest), or a browser that brings the answer. */
export type ProgramAnswer =
  | { readonly userCodeMac: Buffer }
  | { readonly redirectUri: string; readonly challenge: string; readonly actorId: string };

export interface NewProgramRequest extends ProgramRequest {
  /** SHA-256 of the secret with which the program fetches its token. */
  secretHash: Buffer;
  answer: ProgramAnswer;
  pollMs: number;
  createdAt: string;
  expiresAt: string;
}

export interface StoredProgramRequest extends ProgramRequest {
  redirectUri: string | null;
  challenge: string | null;
  actorId: string | null;
  decision: ProgramDecision | null;
  pollMs: number;
  polledAt: string | null;
  expiresAt: string;
  tokenId: string | null;
}

function toRequest(row: Selectable<Tables["program_request"]>): StoredProgramRequest {
  return {
    client: row.client,
    address: row.address,
    permissions: row.permissions === null ? null : known(row.permissions),
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    actorId: row.actor_id,
    decision: wordOrNull(DECISIONS, row.decision),
    pollMs: row.poll_ms,
    polledAt: row.polled_at,
    expiresAt: row.expires_at,
    tokenId: row.token_id,
  };
}

function known(names: readonly string[]): Permission[] {
  return PERMISSIONS.filter((permission) => names.includes(permission));
}

/** Adds a request; `false` if another one has the same code of the person. */
export async function insertProgramRequest(tx: Transaction, request: NewProgramRequest): Promise<boolean> {
  const { answer, permissions } = request;
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("program_request")
    .values({
      secret_hash: request.secretHash,
      client: request.client,
      address: request.address,
      permissions: permissions === null ? null : [...permissions],
      poll_ms: request.pollMs,
      created_at: request.createdAt,
      expires_at: request.expiresAt,
      ...("userCodeMac" in answer
        ? { user_code_mac: answer.userCodeMac }
        : {
            redirect_uri: answer.redirectUri,
            challenge: answer.challenge,
            actor_id: answer.actorId,
            decision: "ALLOWED" as const,
          }),
    })
    .onConflict((conflict) => conflict.column("user_code_mac").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The request of a program, by its secret; its row stays locked. */
export async function lockProgramRequest(tx: Transaction, secretHash: Buffer): Promise<StoredProgramRequest | null> {
  const row = await tx.sql
    .selectFrom("program_request")
    .selectAll()
    .where("secret_hash", "=", secretHash)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** The request with a code that a person typed, unless it was answered or had ended by an instant. */
export async function findOpenProgramRequest(
  reader: Reader,
  userCodeMac: Buffer,
  at: string,
): Promise<StoredProgramRequest | null> {
  const row = await reader.sql
    .selectFrom("program_request")
    .selectAll()
    .where("user_code_mac", "=", userCodeMac)
    .where("decision", "is", null)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Answers the request with a code that a person typed; `false` if it was answered before or has ended. */
export async function decideProgramRequest(
  tx: Transaction,
  userCodeMac: Buffer,
  { actorId, decision, at }: { actorId: string; decision: ProgramDecision; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("program_request")
    .set({ actor_id: actorId, decision })
    .where("user_code_mac", "=", userCodeMac)
    .where("decision", "is", null)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes that the program asked, and the pause that it must make from then on. */
export async function notePoll(
  tx: Transaction,
  secretHash: Buffer,
  { at, pollMs }: { at: string; pollMs: number },
): Promise<void> {
  await tx.sql
    .updateTable("program_request")
    .set({ polled_at: at, poll_ms: pollMs })
    .where("secret_hash", "=", secretHash)
    .execute();
}

/** Notes the token that the program got: its secret is used up. */
export async function noteProgramToken(tx: Transaction, secretHash: Buffer, tokenId: string): Promise<void> {
  await tx.sql
    .updateTable("program_request")
    .set({ token_id: tokenId })
    .where("secret_hash", "=", secretHash)
    .execute();
}

/** Removes requests that ended before an instant, at most `limit`; gives their number. */
export async function removeProgramRequests(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("program_request")
    .where("secret_hash", "in", (eb) =>
      eb
        .selectFrom("program_request")
        .select("secret_hash")
        .where("expires_at", "<", before)
        .orderBy("expires_at")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
