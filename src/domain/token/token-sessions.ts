import type { Transaction } from "../../persistence/database/database.ts";
import { revokeSessions } from "../../persistence/people/session-store.ts";

/**
 * Ends what was opened with a token or a former secret of it: its sessions in browsers, and connections, also those of its
 * sessions.
 */
export async function endTokenSessions(tx: Transaction, tokenId: string, at: string): Promise<void> {
  tx.announce(`token:${tokenId}`);
  await revokeSessions(tx, { tokenId }, at);
}
