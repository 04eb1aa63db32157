/** Whether what must hold while runners claim does hold, and what Postgres does for a claim. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type PoolConfig } from "pg";

const LOOK_MS = 100;

/** A place is a lease, or a run that a claim may take. */
const EXCEEDED = `
  select o.slug
  from (select organization_id from job where ended_at is null
    union all select organization_id from dispatch where offered) place
  join organization o on o.id = place.organization_id
  group by o.id having count(*) > o.concurrency_limit limit 1`;
const TWICE = `select workspace_id from job where ended_at is null group by 1 having count(*) > 1 limit 1`;

/** Looks again and again, each time at one instant of the database; throws once a limit is exceeded. */
export async function watchRules(connection: PoolConfig): Promise<{ stop(): Promise<void> }> {
  const client = new Client(connection);
  // If the runners fail, the database is stopped below this connection; their error is the one to report.
  client.on("error", () => undefined);
  await client.connect();
  const stopped = new AbortController();
  const found = (async () => {
    while (!stopped.signal.aborted) {
      for (const [what, text] of Object.entries({ "more places than the limit": EXCEEDED, "two runners": TWICE })) {
        const { rows } = await client.query<Record<string, string>>(text);
        if (rows[0] !== undefined) throw new Error(`There are ${what} in ${Object.values(rows[0]).join()}.`);
      }
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  found.catch(() => undefined);
  return {
    async stop() {
      stopped.abort();
      try {
        await found;
      } finally {
        await client.end();
      }
    },
  };
}

/** Largest and smallest share of an organization, of the mean: 1 is just. */
export function shares(claims: ReadonlyMap<string, number>, organizations: number): { least: number; most: number } {
  const counts = [...claims.values()];
  const mean = counts.reduce((sum, one) => sum + one, 0) / organizations;
  return { least: counts.length < organizations ? 0 : Math.min(...counts) / mean, most: Math.max(...counts) / mean };
}

/** The hot statements of a claim and of releasing a place, as the stores have them. */
const HOT: Record<string, string> = {
  "first for a runner": `select run_id, workspace_id from dispatch
    where offered = true and pool_id is null and labels = '{}'
    order by class, priority desc, turn limit 1 for update skip locked`,
  "whether there is work": "select true from dispatch where offered order by class, priority desc, turn limit 1",
  "first that gets a place": `select run_id from dispatch
    where organization_id = $1 and not offered and reachable order by class, priority desc, turn limit 3
    for update skip locked`,
  "places given away": "select count(*) from dispatch where organization_id = $1 and offered",
  "jobs at work": "select count(*) from job where organization_id = $1 and ended_at is null",
  "first of a queue": `select id from run where workspace_id = $1 and status = 'QUEUED' and kind <> 'PLAN'
    order by priority desc, number limit 1`,
};

/** Throws where one of them reads a whole table. */
export async function checkPlans(connection: PoolConfig): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    for (const [what, text] of Object.entries(HOT)) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text.replace("$1", "'none'")}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      if (plan.includes("Seq Scan")) throw new Error(`${what}:\n${plan}`);
    }
  } finally {
    await client.end();
  }
}
