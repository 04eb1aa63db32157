import { Client } from "pg";
import { openDatabase } from "../../src/persistence/database/database.ts";
import type { BigDatabase } from "../part.ts";
import { type Explained, explain, largeTables } from "./explain.ts";
import { fillRest, WEBHOOK_ID } from "./fill.ts";
import { hotStatements } from "./hot-statements.ts";
import { notingClient, type Sent } from "./noted-client.ts";

/** A hot statement with how Postgres performs it. */
export interface CheckedStatement extends Explained {
  readonly name: string;
}

/** After everything in the data set. */
const NOW = "2026-11-01T00:00:00.000Z";
const NOTIFIER = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };

/**
 * Performs the hot statements once, on a copy of the data set that has rows in every large table, and asks Postgres how
 * it does that. Nothing is forced upon the planner: with fewer rows it rightly reads whole tables, so that what counts as
 * large is decided by the rows that there are.
 */
export async function checkPlans(database: BigDatabase): Promise<CheckedStatement[]> {
  const { connection } = await database.create("big");
  await using stack = new AsyncDisposableStack();
  const client = new Client(connection);
  await client.connect();
  stack.defer(() => client.end());
  await fillRest(client, database.sample.runCount);
  let sent: Sent[] = [];
  const noting = { ...connection, max: 1, Client: notingClient((one) => sent.push(one)) };
  const large = await largeTables(client);
  const checked: CheckedStatement[] = [];
  for (const [name, ask] of Object.entries(hotStatements(database, WEBHOOK_ID, NOW))) {
    sent = [];
    // A connection of its own: what one has prepared it sends without its text.
    await using store = openDatabase(noting, { notifier: NOTIFIER, onError: () => undefined });
    await store.transaction(async (tx) => void (await ask(tx)));
    const statements = sent.filter(({ text, values }) => values.length > 0 || /^\s*(?:select|with)\s[^1]/.test(text));
    for (const [index, one] of statements.entries()) {
      checked.push({ name: index === 0 ? name : `${name} (${index + 1})`, ...(await explain(client, one, large)) });
    }
  }
  return checked;
}

/** Prints the plans as a text that can be compared. */
export function printPlans(checked: readonly CheckedStatement[]): string {
  return checked.map(({ name, shape }) => `-- ${name}\n${shape}\n`).join("\n");
}
