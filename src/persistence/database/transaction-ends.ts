/** The first and the last message of a transaction. */
import { type Client, sendPrepared, toCallerError } from "./client.ts";
import { BEGIN, COMMIT, type PreparedStatement, type Shape } from "./row-query.ts";

/**
 * Fails unless the rights of this version, and the credential, are still in force. It is sent with the commit that
 * follows it, and not before.
 */
export const COMMIT_CHECK = "select require_rights($1, $2)";

const NO_COLUMNS: Shape = { columns: [], nulls: {} };

/** The begin of a transaction waits for its first statement, and travels with it: a round trip less. */
export function createBeginning(client: Client) {
  let waits = false;
  let prepared = false;
  const take = (): boolean => {
    const taken = waits;
    waits = false;
    return taken;
  };
  const sendNow = async (): Promise<void> => {
    await client.query({ name: BEGIN, text: BEGIN });
    prepared = true;
  };
  return {
    /** It is sent at once where the connection has not prepared it. */
    async ask(): Promise<void> {
      if (prepared) waits = true;
      else await sendNow();
    },
    /** Returns whether the begin waits; the caller then sends it with its own statement. */
    take,
    /** Sends the begin alone, before a statement that cannot take it along. */
    async send(): Promise<void> {
      if (take()) await sendNow();
    },
  };
}

/** That is no error to Postgres: in a transaction in which a statement has failed, it is how it ends. */
export function requireCommitted({ command }: { command: string }): void {
  if (command !== "COMMIT") throw new Error("A statement failed, and nothing was committed.");
}

/** The check before a commit waits for it, and travels with it. If it fails, Postgres skips the commit. */
export function createEnding(client: Client) {
  let waiting: PreparedStatement["values"] | null = null;
  let prepared = false;
  return {
    ask(values: PreparedStatement["values"]): void {
      waiting = values;
    },
    /** Returns the values of the check that waits; `null` if none does. */
    take(): PreparedStatement["values"] | null {
      const taken = waiting;
      waiting = null;
      return taken;
    },
    /** Sends a check with the commit. */
    async commit(values: PreparedStatement["values"]): Promise<{ command: string }> {
      if (!prepared) {
        await client.query({ name: COMMIT_CHECK, text: COMMIT_CHECK, values });
        const answer = await client.query({ name: COMMIT, text: COMMIT });
        prepared = true;
        return answer;
      }
      const outcomes = await sendPrepared(client, [
        { name: COMMIT_CHECK, values, shape: NO_COLUMNS },
        { name: COMMIT, values: [], shape: NO_COLUMNS },
      ]);
      const failed = outcomes.find(({ type }) => type === "failed");
      const committed = outcomes.at(-1);
      if (failed !== undefined || committed?.type !== "done") throw toCallerError(failed);
      return { command: committed.tag };
    },
  };
}
