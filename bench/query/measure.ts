import type { LoadGenerator } from "../measure/load.ts";
import { createRandom } from "../measure/rounds.ts";
import type { BigDatabase } from "../part.ts";
import { type Contestant, post } from "./contestants.ts";
import type { OperationName } from "./operations.ts";

const CONNECTIONS = 50;
/** So many different requests are made before; they are sent in turns. */
const BODIES = 5000;
/** Answers that are compared before anything is measured. */
const COMPARED = 5;
const SEED = 20_261_121;

/** One round of one server. */
export interface QuerySample {
  readonly perSecond: number;
  /** Microseconds of CPU a request. */
  readonly serverUs: number;
  readonly postgresUs: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of an answer, on average. */
  readonly bytes: number;
}

export function bodiesOf({ dialect }: Contestant, operation: OperationName, count = BODIES): string[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () => JSON.stringify(dialect.ask(operation, Math.floor(random() * 2 ** 31))));
}

/** Sends a few equal requests to a contestant; gives the answers in the order of the requests. */
export function sampleAnswers(contestant: Contestant, operation: OperationName): Promise<string[]> {
  const bodies = bodiesOf(contestant, operation, COMPARED);
  return Promise.all(bodies.map((body) => post(contestant.server.url, contestant.headers, body)));
}

export async function measureQuery(
  contestant: Contestant,
  given: {
    readonly load: LoadGenerator;
    readonly database: Pick<BigDatabase, "cpuSeconds">;
    readonly bodies: readonly string[];
    readonly ms: number;
  },
): Promise<QuerySample> {
  const { load, database, bodies, ms } = given;
  const { server, headers } = contestant;
  const before = { server: server.cpuSeconds(), postgres: await database.cpuSeconds() };
  const { requests, seconds, p50, p99, bytes } = await load.run({
    url: server.url,
    path: "/graphql",
    headers,
    bodies,
    expects: '{"data"',
    connections: CONNECTIONS,
    ms,
  });
  const each = (used: number): number => (used * 1_000_000) / requests;
  return {
    perSecond: requests / seconds,
    serverUs: each(server.cpuSeconds() - before.server),
    postgresUs: each((await database.cpuSeconds()) - before.postgres),
    p50,
    p99,
    bytes: bytes / requests,
  };
}
