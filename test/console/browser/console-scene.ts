/** A server process with the built console, a workspace whose plans a real engine makes, and a browser. */
import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { closeContext, openContext, startChromium } from "../../browser/chromium.ts";
import { writeFiles } from "../../e2e/holdpoint.ts";
import { createTestDatabase } from "../../support/database.ts";
import { createWorkspace } from "../../support/run-steps.ts";
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type ServerProcess,
  startServerProcess,
} from "../../support/server-process.ts";
import { type FaultyLink, startFaultyLink } from "./faulty-link.ts";
import { shareChromium } from "./shared-chromium.ts";

const BUILD = fileURLToPath(new URL("../../../src/console/build.mjs", import.meta.url));

/** What the browser itself reports where nobody is signed in, and where it is offline. */
const SIGNED_OUT = /status of 401|ERR_INTERNET_DISCONNECTED/;
/** Beside these: of a network that breaks. */
const LOST_AND_SIGNED_OUT = /status of 401|net::ERR_|WebSocket connection to .* failed/;

export interface ConsoleScene extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly chromium: Browser;
  /** The network between browsers and the server; without `isFaulty` it is not in use. */
  readonly link: FaultyLink;
  /** The address by which browsers know the server. */
  readonly site: string;
  /** The folder of the sources of all workspaces. */
  readonly sourceRoot: string;
  /** The address of the database; `null` if the server makes its own. */
  readonly databaseUrl: string | null;
  /** Kills the process of the server. */
  killServer(): Promise<void>;
  /** Starts a server on the port and the data of the one that was killed. */
  startServer(): Promise<void>;
  /** Makes a workspace from files, and gives its id. */
  createWorkspace(name: string, files: Record<string, string>): Promise<string>;
  /** Opens a page in a browser of its own; everything that it reports as wrong is in `reports`. */
  open(path: string, size?: { width: number; height: number }): Promise<OpenPage>;
}

export interface OpenPage extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and what the content security policy has refused. */
  readonly reports: string[];
}

interface SceneOptions {
  /** How many runs the server's own runner does at a time; 0 leaves all of them to fake runners. */
  readonly slots?: number;
  /** Whether browsers reach the server over a network that a test breaks. */
  readonly isFaulty?: boolean;
  /** Whether the server makes its own Postgres, and the browser ends with the scene: for a benchmark, which has nothing of the tests. */
  readonly isAlone?: boolean;
  /** Further settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

let built: Promise<unknown> | undefined;

/** Builds the console where its sources have changed, once for all files of this process. */
function build(): Promise<unknown> {
  built ??= promisify(execFile)(process.execPath, [BUILD, "--strict"]);
  return built;
}

export async function openConsoleScene({
  slots = 2,
  isFaulty = false,
  isAlone = false,
  env = {},
}: SceneOptions = {}): Promise<ConsoleScene> {
  // What has started ends where the rest does not start.
  await using starting = new AsyncDisposableStack();
  await build();
  const port = await freePort();
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-console-")));
  starting.defer(() => rm(root, { recursive: true, force: true }));
  const link = starting.use(await startFaultyLink(port));
  const site = isFaulty ? link.url : `http://localhost:${port}`;
  // A server that makes its own Postgres takes three times as long to start; one test does it as a new user would.
  const database = isAlone ? null : starting.use(await createTestDatabase());
  const settings = {
    ...(database !== null && { DATABASE_URL: database.url }),
    HOLDPOINT_SOURCE_ROOTS: root,
    HOLDPOINT_RUNNER_SLOTS: String(slots),
    ...(isFaulty && { HOLDPOINT_PUBLIC_URL: site }),
    ...env,
  };
  const dataDir = await makeDataDir();
  starting.defer(() => removeDataDir(dataDir));
  const start = (): Promise<ServerProcess> => startServerProcess({ port, dataDir, env: settings });
  let server = await start();
  starting.defer(() => server[Symbol.asyncDispose]());
  const chromium = isAlone ? await startChromium({}) : await shareChromium();
  if (isAlone) starting.defer(() => chromium.close());
  const stack = starting.move();
  return {
    get server() {
      return server;
    },
    chromium,
    link,
    site,
    sourceRoot: root,
    databaseUrl: database?.url ?? null,
    killServer: () => server.kill(),
    async startServer() {
      server = await start();
    },
    async createWorkspace(name, files) {
      const path = join(root, name);
      await writeFiles(path, files);
      return createWorkspace(server.api, name, path);
    },
    async open(path, size = { width: 1280, height: 800 }) {
      const context = await openContext(chromium, { viewport: size });
      // A test that fails may leave it open.
      stack.defer(() => closeContext(context));
      const page = await context.newPage();
      const reports: string[] = [];
      const expected = isFaulty ? LOST_AND_SIGNED_OUT : SIGNED_OUT;
      page.on("pageerror", (error) => reports.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !expected.test(message.text())) {
          reports.push(message.text());
        }
      });
      await page.goto(site + path);
      return { context, page, reports, [Symbol.asyncDispose]: () => closeContext(context) };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Signs in with a token on the page that asks for it, and waits until the page is live. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await untilLive(page);
}

/** Waits until a page has its connection: until then the buttons of its commands are disabled. */
export const untilLive = (page: Page): Promise<void> => page.locator('[data-state="LIVE"]').waitFor();

/** Collects what a page does, without the codes of its addresses: for the message of a test that waits in vain. */
export function stepsOf(page: Page): string[] {
  const steps: string[] = [];
  const note = (step: string, url: string): void => void steps.push(`${step} ${url.replace(/code=.*/, "code=…")}`);
  page.on("pageerror", (error) => steps.push(String(error)));
  page.on("framenavigated", (frame) => note("at", frame.url()));
  page.on("response", (response) => note(String(response.status()), response.url()));
  page.on("requestfailed", (request) => note(request.failure()?.errorText ?? "failed", request.url()));
  return steps;
}

/** Ends the connections of the page, as a network that goes away for a moment. */
export async function cutSockets(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  await session.detach();
}

/** Takes a picture for people, into the folder `HOLDPOINT_SHOTS`; without it, none. No test compares pictures. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["HOLDPOINT_SHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
