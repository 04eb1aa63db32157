/** The servers that are asked, each a process of its own, over the same database. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type ServerProcess, startServerProcess } from "../measure/process.ts";
import type { BenchContext, BigDatabase } from "../part.ts";
import { WITHOUT_LIMITS } from "../product/server.ts";
import { serveCommand } from "../product/serve-arguments.ts";
import {
  type Dialect,
  holdpointDialect,
  plainDialect,
  postgraphileCursorQuery,
  postgraphileDialect,
} from "./operations.ts";

export const CONTESTANTS = [
  "Holdpoint",
  "by hand, JSON in SQL",
  "by hand, with the token",
  "by hand, rows",
  "PostGraphile 5",
  "mercurius, jit",
  "Apollo Server 5",
] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

/** The practical limit. */
export const LIMIT: ContestantName = "by hand, JSON in SQL";
/** The software that a user would choose in its place. */
export const PEERS: readonly ContestantName[] = ["PostGraphile 5", "mercurius, jit", "Apollo Server 5"];

export interface Contestant {
  readonly name: ContestantName;
  readonly server: ServerProcess;
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PEER_LISTENS = /listens on (http:\S+)/;
const PEER_FILES = {
  "by hand, JSON in SQL": ["by-hand.ts", "sql"],
  "by hand, with the token": ["by-hand.ts", "token"],
  "by hand, rows": ["by-hand.ts", "rows"],
  "PostGraphile 5": ["postgraphile.ts"],
  "mercurius, jit": ["mercurius.ts"],
  "Apollo Server 5": ["apollo.ts"],
} as const satisfies Record<Exclude<ContestantName, "Holdpoint">, readonly string[]>;

export async function startContestant(
  name: ContestantName,
  context: Pick<BenchContext, "database" | "folder">,
): Promise<Contestant> {
  const { database } = context;
  const authorized = { authorization: `Bearer ${database.token}` };
  if (name === "Holdpoint") {
    const server = await startHoldpoint(context);
    return { name, server, dialect: holdpointDialect(database.sample), headers: authorized };
  }
  const [program, ...more] = PEER_FILES[name];
  const server = await startServerProcess({
    arguments: [file(`../peers/${program}`), JSON.stringify(database.connection), ...more],
    env: { GRAPHILE_ENV: "production" },
    ready: PEER_LISTENS,
  });
  try {
    const headers = name === "by hand, with the token" ? authorized : {};
    return { name, server, dialect: await dialectOf(name, server, database), headers };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** As it is shipped, by `serve`; without a runner, since nothing is run here. */
async function startHoldpoint({ database, folder }: Pick<BenchContext, "database" | "folder">): Promise<ServerProcess> {
  const dataDir = join(folder, "holdpoint");
  await mkdir(dataDir, { recursive: true });
  const command = serveCommand();
  return startServerProcess({
    arguments: command.arguments,
    env: {
      ...command.env,
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: database.masterKey,
      HOLDPOINT_DATA_DIR: dataDir,
      HOLDPOINT_PORT: "0",
      HOLDPOINT_RUNNER_SLOTS: "0",
      ...WITHOUT_LIMITS,
    },
    ready: /Holdpoint listens on (http:\S+)/,
  });
}

const cursorAnswer = z.object({
  data: z.object({ allRuns: z.object({ edges: z.array(z.object({ cursor: z.string() })) }) }),
});

async function dialectOf(name: ContestantName, server: ServerProcess, { sample }: BigDatabase): Promise<Dialect> {
  if (name !== "PostGraphile 5") return plainDialect(sample);
  const text = await post(server.url, {}, JSON.stringify({ query: postgraphileCursorQuery(sample) }));
  const { data } = cursorAnswer.parse(JSON.parse(text));
  return postgraphileDialect(sample, data.allRuns.edges[0]?.cursor ?? "");
}

/** One request, outside of any measurement. */
export async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}: ${text.slice(0, 300)}`);
  return text;
}
