/** How much NOTIFY one Postgres carries: statements of one or of fifty hints, to as many listeners as there are servers. */
import { Client } from "pg";
import { type Measured, type Place, short, table, type World } from "./world.ts";

const MS = { full: 3000, quick: 500 };
const LISTENERS = [1, 4, 16];
const BATCHES = [1, 50];
const HINT = `run:run_${"0".repeat(26)}`;

export async function notify(world: World): Promise<Measured> {
  await using place = await world.database("notify");
  const rows: (string | number)[][] = [];
  for (const listeners of LISTENERS) {
    for (const batch of BATCHES) rows.push([listeners, batch, ...(await measure(world, place, listeners, batch))]);
  }
  const columns = ["listeners", "hints a statement", "statements/s", "hints/s", "Postgres us a hint and listener"];
  return { "notify.rates": table(columns, rows) };
}

async function measure(world: World, place: Place, listeners: number, batch: number): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  for (let number = 0; number < listeners; number += 1) {
    const client = await connect(place, stack);
    await client.query("listen hints");
  }
  const sender = await connect(place, stack);
  await sender.query("set synchronous_commit = off");
  const cpu = await world.postgresCpu();
  const started = performance.now();
  let statements = 0;
  const ms = world.quick ? MS.quick : MS.full;
  while (performance.now() - started < ms) {
    await sender.query("select pg_notify('hints', $1 || n) from generate_series(1, $2::int) n", [HINT, batch]);
    statements += 1;
  }
  const seconds = (performance.now() - started) / 1000;
  const spent = (await world.postgresCpu()) - cpu;
  const hints = statements * batch;
  return [short(statements / seconds), short(hints / seconds), short((spent / hints / listeners) * 1e6)];
}

async function connect(place: Place, stack: AsyncDisposableStack): Promise<Client> {
  const client = new Client(place.connection);
  client.on("notification", () => undefined);
  await client.connect();
  stack.defer(() => client.end());
  return client;
}
