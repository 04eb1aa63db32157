/**
 * `npm run bench:smoke`: whether anything became twice as slow as it is known to be, in seconds and with the packages of
 * the product alone. What is compared are ratios of CPU time per request between Holdpoint and a handler by hand on the
 * same machine, in the same rounds: other work on the machine hardly moves them. And whether a hot statement reads all of
 * a large table, which no ratio shows while the data is small.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { work } from "./claims/product.ts";
import { seedQueue } from "./claims/seed.ts";
import { openBigDatabase } from "./dataset/big-database.ts";
import { cacheFolder } from "./dataset/cluster.ts";
import { type LoadGenerator, startLoadGenerator } from "./measure/load.ts";
import { inRounds } from "./measure/rounds.ts";
import { ratio } from "./measure/statistics.ts";
import type { BigDatabase, Figure } from "./part.ts";
import { mustBeSame } from "./query/answers.ts";
import { type Contestant, LIMIT, startContestant } from "./query/contestants.ts";
import { checkPlans } from "./plans/check.ts";
import { bodiesOf, measureQuery, type QuerySample, sampleAnswers } from "./query/measure.ts";
import type { OperationName } from "./query/operations.ts";
import { openDeps } from "./product/deps.ts";
import { formatFigure, formatNumber } from "./report/format.ts";

const MEASURED = ["workspace", "run"] as const satisfies readonly OperationName[];
const ROUNDS = 5;
const ROUND_MS = 500;
const WARM_UP_MS = 1000;
/** The factor up to which a difference may come from the machine. */
const TOLERANCE = 2;

/** Runners that claim beside each other, and what waits for them. */
const RUNNERS = 4;
const QUEUED = 1000;

const expectedSchema = z.record(z.enum([...MEASURED, "claim"]), z.number().positive());

/** CPU of the handler by hand as a part of Holdpoint's, a request. */
async function measure(
  operation: OperationName,
  [product, limit]: readonly [Contestant, Contestant],
  given: { readonly load: LoadGenerator; readonly database: BigDatabase },
): Promise<Figure> {
  const expected = await sampleAnswers(limit, operation);
  for (const [index, answer] of (await sampleAnswers(product, operation)).entries()) {
    mustBeSame(`${product.name} (${operation})`, answer, expected[index] ?? "null");
  }
  const subjects = [product, limit].map((contestant) => {
    const bodies = bodiesOf(contestant, operation);
    return { name: contestant.name, once: (ms: number) => measureQuery(contestant, { ...given, bodies, ms }) };
  });
  for (const { once } of subjects) await once(WARM_UP_MS);
  const samples = await inRounds(
    subjects.map(({ name, once }) => ({ name, measure: () => once(ROUND_MS) })),
    { rounds: ROUNDS, seed: 1, signal: new AbortController().signal },
  );
  const cpu = ({ name }: Contestant): number[] => (samples.get(name) ?? []).map(cpuOf);
  return ratio(cpu(limit), cpu(product));
}

function cpuOf({ serverUs, postgresUs }: QuerySample): number {
  return serverUs + postgresUs;
}

/** CPU of a page by hand as a part of that of a claim, its end and the next run in the queue, without HTTP. */
async function measureClaims(
  limit: Contestant,
  given: { readonly load: LoadGenerator; readonly database: BigDatabase },
): Promise<Figure> {
  const { database } = given;
  const { connection } = await database.create("empty");
  await using opened = openDeps(connection, database.masterKey, RUNNERS + 2);
  await seedQueue(connection, opened.deps.cipher, QUEUED);
  const claim = async (ms: number): Promise<number> => {
    const before = process.cpuUsage();
    const postgres = await database.cpuSeconds();
    const { count } = await work(opened.deps, RUNNERS, { ms });
    const { user, system } = process.cpuUsage(before);
    return (user + system + ((await database.cpuSeconds()) - postgres) * 1_000_000) / count;
  };
  const bodies = bodiesOf(limit, "workspace");
  const page = async (ms: number): Promise<number> => cpuOf(await measureQuery(limit, { ...given, bodies, ms }));
  await claim(WARM_UP_MS);
  const samples = await inRounds(
    [
      { name: "claim", measure: () => claim(ROUND_MS) },
      { name: "page", measure: () => page(ROUND_MS) },
    ],
    { rounds: ROUNDS, seed: 1, signal: new AbortController().signal },
  );
  return ratio(samples.get("page") ?? [], samples.get("claim") ?? []);
}

/** Whether a ratio is not too low; prints the comparison. */
function judge(name: string, found: Figure, expected: number): boolean {
  const isTooSlow = !(found.median >= expected / TOLERANCE);
  const isBetter = found.median > expected * TOLERANCE;
  const verdict = isTooSlow ? "TOO SLOW" : isBetter ? "better: write the new ratio into bench/expected.json" : "ok";
  console.log(`${name}: ${formatFigure(found)} of the limit by CPU, expected ${formatNumber(expected)}: ${verdict}`);
  return !isTooSlow;
}

async function main(): Promise<number> {
  const expected = expectedSchema.parse(JSON.parse(await readFile(new URL("expected.json", import.meta.url), "utf8")));
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-smoke-"));
  let failed = 0;
  try {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await openBigDatabase({ size: "smoke", folder: cacheFolder(), print: console.log }));
    const load = stack.use(startLoadGenerator());
    const contestants = [
      await startContestant("Holdpoint", { database, folder }),
      await startContestant(LIMIT, { database, folder }),
    ] as const;
    for (const { server } of contestants) stack.use(server);
    for (const operation of MEASURED) {
      const found = await measure(operation, contestants, { load, database });
      if (!judge(operation, found, expected[operation])) failed += 1;
    }
    const claims = await measureClaims(contestants[1], { load, database });
    if (!judge("claim", claims, expected.claim)) failed += 1;
    for (const { name, wholes } of await checkPlans(database)) {
      if (wholes.length === 0) continue;
      console.log(`${name}: reads all of ${wholes.join(", ")}`);
      failed += 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
