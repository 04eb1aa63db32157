/** `npm run demo`: finds or starts a server, and takes the example through one run. */
import { join } from "node:path";
import { findSecret } from "../os/secret-file.ts";
import { type DemoServer, runDemo, type StartedServer } from "../cli/demo.ts";
import { type Config, loadConfig } from "./config.ts";
import { openFoundation } from "./foundation.ts";
import { findEngine } from "../runner/engine/engine-discovery.ts";
import { createLog } from "./serve.ts";
import { findLiveClaim } from "./server-claim.ts";
import { STOP_SIGNALS } from "./stop-signals.ts";

/** The screen shows the run already. */
const LOG_LEVEL = "warn";
const EXAMPLES = new URL("../../examples/", import.meta.url);

/** Runs the demo; gives the exit code. */
export async function demo(argv: string[]): Promise<number> {
  const unknown = argv.find((argument) => argument !== "--yes");
  if (unknown !== undefined) {
    process.stderr.write(`The demo has no option ${unknown}. Its only option is --yes.\n`);
    return 2;
  }
  const interrupted = new AbortController();
  for (const signal of STOP_SIGNALS) process.on(signal, () => interrupted.abort());
  try {
    const config = loadConfig();
    return await runDemo({
      yes: argv.includes("--yes"),
      examplesDir: decodeURIComponent(EXAMPLES.pathname),
      findEngine: async () => {
        const engine = await findEngine(config.engine, config.inherited);
        return engine === null ? undefined : `${engine.name} ${engine.version}`;
      },
      findServer: () => findServer(config),
      startServer: () => startServer(config),
      input: process.stdin,
      output: process.stdout,
      signal: interrupted.signal,
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function findServer(config: Config): Promise<DemoServer | undefined> {
  const claim = await findLiveClaim(config.dataDir);
  return claim?.url === undefined ? undefined : describe(config, claim.url);
}

async function describe(config: Config, url: string): Promise<DemoServer> {
  const path = join(config.dataDir, "admin-token");
  const token = config.adminToken ?? (await findSecret(path))?.trim() ?? "";
  const tokenHint = config.adminToken === undefined ? path : "HOLDPOINT_ADMIN_TOKEN";
  return { graphqlUrl: `${url}/graphql`, graphiqlUrl: `${url}/graphql`, token, tokenHint };
}

/** Starts a server in this process that logs warnings only. */
async function startServer(config: Config): Promise<StartedServer> {
  // The runner has a log of its own.
  const quiet: Config = { ...config, logLevel: LOG_LEVEL };
  const log = createLog(LOG_LEVEL);
  const uid = process.getuid?.();
  const engine = await findEngine(config.engine, config.inherited);
  const onFatal = (error: Error): void => void process.stderr.write(`${error.message}\n`);
  const foundation = await openFoundation({ config: quiet, log, uid, onFatal });
  const { startApp } = await import("../app.ts");
  const app = await startApp({ config: quiet, foundation, engine, log, uid });
  return { ...(await describe(config, app.url)), [Symbol.asyncDispose]: () => app.stop() };
}
