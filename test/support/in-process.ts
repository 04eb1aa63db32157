/** Holdpoint without its processes: real database, real HTTP and WebSocket, a clock that the test moves, no runner. */
import ipaddr from "ipaddr.js";
import { createRightsCache } from "../../src/domain/kit/rights-cache.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createHub, type Hub } from "../../src/bus/hub.ts";
import { createTails } from "../../src/bus/run-tails.ts";
import { createTokenWatch } from "../../src/bus/token-watch.ts";
import { createDomain } from "../../src/domain/domain.ts";
import { createFiguresReader } from "../../src/domain/figures/read-figures.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import type { Domain } from "../../src/domain/domain.ts";
import { runnerToken } from "../../src/domain/token/credentials.ts";
import { createCheckAccess } from "../../src/domain/external-check/take-report.ts";
import { createCheckRequests } from "../../src/domain/check-request/check-requests.ts";
import { createSampling } from "../../src/domain/sampling/sampling.ts";
import { createTargetDesk } from "../../src/domain/sampling/target-desk.ts";
import { createJobs, type Jobs } from "../../src/domain/job/jobs.ts";
import { createReceiveHook } from "../../src/domain/repository/receive-hook.ts";
import { createAppTokens } from "../../src/domain/source/app-tokens.ts";
import { createRefReader } from "../../src/domain/source/ref-reader.ts";
import { createGitFetcher } from "../../src/domain/source/git-fetcher.ts";
import { createProgramRequests } from "../../src/domain/programs/program-requests.ts";
import { createTokenExchange } from "../../src/domain/programs/token-exchange.ts";
import { createStateFiles } from "../../src/domain/state/state-files.ts";
import { installAdminToken } from "../../src/domain/token/authenticate.ts";
import { createInboundHooks } from "../../src/domain/schedule/receive-hook.ts";
import { createPolicyInputs } from "../../src/domain/policy/policy-input.ts";
import { createLogExports } from "../../src/domain/log/export-log.ts";
import { createChangeExports } from "../../src/domain/run/export-changes.ts";
import { createTransferLimit, createTransfers } from "../../src/domain/transfers.ts";
import { createGraphql } from "../../src/graphql/server/yoga.ts";
import { createMetrics, type Metrics } from "../../src/http/observe/metrics.ts";
import { createMetricsPage } from "../../src/http/observe/metrics-page.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import { createIdentityProvider, type ProviderSettings } from "../../src/http/sign-in/identity-provider.ts";
import type { SignInSettings } from "../../src/http/sign-in/sign-in-deps.ts";
import { createIngestion } from "../../src/ingestion/ingestion.ts";
import { createProber } from "../../src/probing/prober.ts";
import { createIds } from "../../src/model/kit/id.ts";
import { type CallerRateSettings, createCallerRates } from "../../src/model/limit/caller-rates.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { type ObjectStore } from "../../src/persistence/blob/object-store.ts";
import { createBlobStore } from "../../src/persistence/blob/blobs.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { isReachable } from "../../src/persistence/installation/installation-store.ts";
import { createNatsHints, type NatsHintSettings, natsSubject } from "../../src/persistence/installation/nats-hints.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { openWebhookQueue, type WebhookJobs } from "../../src/persistence/webhook/webhook-queue.ts";
import { type Api, createApi } from "./api.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { shareEvaluators } from "./shared-evaluators.ts";

export interface InProcess extends AsyncDisposable {
  readonly testDatabase: TestDatabase;
  readonly deps: Deps;
  /** null unless asked for. */
  readonly webhookJobs: WebhookJobs | null;
  readonly domain: Domain;
  readonly jobs: Jobs;
  readonly hub: Hub;
  readonly url: string;
  /** With the admin's token. */
  readonly api: Api;
  /** Credential of a runner. */
  readonly runnerToken: string;
  /** A root for directory sources. */
  readonly sourceRoot: string;
  /** What was reported as unexpected: a test that expects nothing asserts that this is empty. */
  readonly reported: unknown[];
  /** What became of each hook that was received. */
  readonly hookResults: string[];
  /** Why tokens of other issuers were not exchanged. */
  readonly notExchanged: string[];
  /** Moves the clock on. */
  advance(ms: number): void;
  /** Makes a folder below the root, with these files, and gives its path. */
  makeSource(name: string, files: Record<string, string>): Promise<string>;
  /** Ends something together with the server. */
  defer(end: () => PromiseLike<void>): void;
  /** Another server on the same database: same key, its own hub and port. */
  second(): Promise<InProcess>;
}

const ADMIN_TOKEN = "hpt_admin-token-of-the-tests-0123456789";

export interface InProcessOptions {
  /** Time passes by `advance` alone. */
  standing?: boolean;
  /** Jobs for webhooks are kept; otherwise nobody is told anything. Who delivers them is up to the test. */
  webhooks?: boolean;
  /** Whether servers notify each other of what is new; without hints they find out by themselves. */
  hints?: boolean;
  /** What carries hints; absent: Postgres. */
  nats?: NatsHintSettings;
  /** Where artifacts are put; absent: Postgres. */
  objects?: ObjectStore;
  /** The origin of the site, and its identity provider; absent: nobody signs in. */
  signIn?: {
    origin: string;
    oidc: ProviderSettings | null;
    onRefused?: (error: unknown) => void;
    onWarning?: (message: string) => void;
  };
  /** What this machine says about the addresses of clients is believed. */
  isBehindProxy?: boolean;
  /** Limits of callers; absent: there are none. */
  rates?: Partial<CallerRateSettings>;
  /** The load of the server, for its limits. */
  shedder?: { bound: number };
  /** A migrated database with data of its own, sealed with this key, in place of a new one; it goes with the server. */
  existing?: { testDatabase: TestDatabase; masterKey: Buffer };
}

export async function startInProcess(options: InProcessOptions = {}): Promise<InProcess> {
  const { standing = false, webhooks = false, objects = null, nats = null, signIn = null, existing } = options;
  const testDatabase = existing?.testDatabase ?? (await createTestDatabase());
  const sourceRoot = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-sources-")));
  const clock = { offsetMs: 0, standsAtMs: standing ? Date.now() : null };
  const server = await start({
    testDatabase,
    sourceRoot,
    clock,
    masterKey: existing?.masterKey ?? randomBytes(32),
    webhooks,
    objects,
    hints: options.hints ?? true,
    nats,
    signIn,
    isBehindProxy: options.isBehindProxy ?? false,
    rates: options.rates ?? null,
    shedder: options.shedder ?? { bound: 1 },
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await testDatabase[Symbol.asyncDispose]();
      await rm(sourceRoot, { recursive: true, force: true });
    },
  };
}

interface Shared {
  testDatabase: TestDatabase;
  sourceRoot: string;
  clock: { offsetMs: number; readonly standsAtMs: number | null };
  masterKey: Buffer;
  webhooks: boolean;
  objects: ObjectStore | null;
  hints: boolean;
  nats: NatsHintSettings | null;
  signIn: InProcessOptions["signIn"] | null;
  isBehindProxy: boolean;
  rates: Partial<CallerRateSettings> | null;
  shedder: { bound: number };
}

const NO_RATES: CallerRateSettings = { credential: null, organization: null, uploads: null, subscriptions: null };

async function start(shared: Shared): Promise<InProcess> {
  const { testDatabase, sourceRoot, clock, masterKey } = shared;
  const { connection } = testDatabase;
  const stack = new AsyncDisposableStack();
  const reported: unknown[] = [];
  const hookResults: string[] = [];
  const notExchanged: string[] = [];
  const note = (error: unknown): string => {
    reported.push(error);
    return randomUUID();
  };
  const cipher = createCipher(masterKey);
  const now = (): Date => new Date((clock.standsAtMs ?? Date.now()) + clock.offsetMs);
  const overDatabase = stack.use(createNotifier(connection, note));
  const natsDeps = { fallback: overDatabase, clock: now, onError: note, onBack: () => undefined };
  const nats = shared.nats === null ? null : stack.use(createNatsHints(shared.nats, natsSubject(cipher), natsDeps));
  const notifier = shared.hints ? (nats?.notifier ?? overDatabase) : { ...overDatabase, send: () => undefined };
  const database = stack.use(openDatabase(connection, { notifier, onError: note }));
  const gitFolder = `${sourceRoot}-git-${randomUUID()}`;
  stack.defer(() => rm(gitFolder, { recursive: true, force: true }));
  const git = stack.use(
    await createGitFetcher({
      // Beside the root, which must hold nothing but sources.
      folder: gitFolder,
      sourceRoots: [sourceRoot],
      inherited: { PATH: process.env["PATH"] ?? "" },
      limits: LIMITS,
      allowed: [],
      randomBytes: (count) => randomBytes(count),
      mac: (text) => cipher.mac("git-mirror", text),
    }),
  );
  const refs = stack.use(
    await createRefReader({
      folder: `${sourceRoot}-refs-${randomUUID()}`,
      sourceRoots: [sourceRoot],
      inherited: { PATH: process.env["PATH"] ?? "" },
      limits: LIMITS,
      allowed: [],
    }),
  );
  const webhookJobs = shared.webhooks ? stack.use(await openWebhookQueue(connection, note)) : null;
  const { evaluator, answers } = shareEvaluators();
  stack.defer(() => evaluator.close());
  stack.defer(() => answers.close());
  const deps: Deps = {
    database,
    rights: createRightsCache({ database, clock: now }),
    cipher,
    blobs: createBlobStore({ database, cipher, clock: now, onError: note }, shared.objects),
    clock: now,
    newId: createIds(now, (count) => randomBytes(count)),
    randomBytes: (count) => randomBytes(count),
    sourceRoots: [sourceRoot],
    git,
    refs,
    evaluator,
    prober: createProber({
      evaluator: answers,
      allowed: [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }],
      clock: now,
    }),
    appTokens: createAppTokens({ clock: now, limits: LIMITS, allowed: [] }),
    webhooks: webhookJobs ?? { enqueue: async () => undefined },
    webhookAllow: [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }],
    issuerAllow: [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }],
    publicUrl: shared.signIn?.origin ?? "http://localhost",
    hasIdentityProvider: (shared.signIn?.oidc ?? null) !== null,
    sponsoredMs: 72 * 3_600_000,
    reportError: note,
  };
  await installAdminToken(deps, ADMIN_TOKEN);
  const hub = createHub();
  stack.use(await startHintListener(connection, hub, note, () => nats?.peerAway()));
  nats?.listen(hub);
  const domain = createDomain(deps);
  const jobs = createJobs(deps);
  const draining = new AbortController();
  const graphql = createGraphql({
    domain,
    tails: createTails(database, hub, { clock: now }),
    cursorKeyOf: (subjectId) => deps.cipher.mac("cursors", subjectId),
    report: note,
    logger: { debug: () => undefined },
    executor: inject("executor"),
  });
  const ingestion = createIngestion({
    jobs,
    checkRequests: createCheckRequests(deps),
    sampling: createSampling(deps),
    targetDesk: createTargetDesk(deps),
    clock: now,
    draining: draining.signal,
    reportError: note,
    waitFor: (topic, signal) => {
      const watch = hub.watch(topic);
      signal.addEventListener("abort", () => watch[Symbol.dispose](), { once: true });
      return watch;
    },
  });
  const transferLimit = createTransferLimit();
  // It measures the process, so most tests have none.
  let metrics: Metrics | undefined;
  const http = stack.use(
    await startHttpServer(
      {
        graphql,
        ...(shared.signIn && { signIn: signInOf(shared.signIn, deps, note) }),
        inboundHooks: createInboundHooks(deps),
        checks: createCheckAccess(deps),
        programs: {
          requests: createProgramRequests(deps),
          exchange: createTokenExchange(deps),
          onRefused: (reason) => notExchanged.push(reason),
        },
        clock: now,
        trustedProxies: shared.isBehindProxy ? [[ipaddr.parse("127.0.0.1"), 32]] : [],
        ingestion,
        transfers: createTransfers(deps, transferLimit),
        stateFiles: createStateFiles(deps, transferLimit),
        logExports: createLogExports(deps),
        changeExports: createChangeExports(deps),
        policyInputs: createPolicyInputs(deps),
        metrics: createMetricsPage({
          metrics: { page: (figures) => (metrics ??= createMetrics()).page(figures) },
          readFigures: createFiguresReader(deps),
          onFailure: note,
        }),
        hooks: {
          receive: createReceiveHook(deps),
          onResult: (result) => hookResults.push(result),
          clock: now,
          trustedProxies: [],
        },
        runWaits: { queries: domain, watch: (runId) => hub.watch(`run:${runId}`) },
        authenticate: (secret, addressOf) => domain.authenticate(secret, addressOf),
        recheck: (secret, addressOf) => domain.recheck(secret, addressOf),
        watchToken: createTokenWatch(hub, { clock: now, reportError: note }),
        isReady: () => isReachable(database),
        reportError: note,
        ...(shared.rates !== null && {
          rates: createCallerRates({
            settings: { ...NO_RATES, ...shared.rates },
            clock: now,
            maxKeys: 100,
            shedder: shared.shedder,
          }),
        }),
      },
      { host: "127.0.0.1", port: 0 },
    ),
  );
  stack.defer(() => draining.abort());
  const url = `http://127.0.0.1:${http.port}`;
  return {
    testDatabase,
    deps,
    webhookJobs,
    domain,
    jobs,
    hub,
    url,
    api: createApi(url, ADMIN_TOKEN),
    runnerToken: runnerToken(deps.cipher),
    sourceRoot,
    reported,
    hookResults,
    notExchanged,
    advance(ms) {
      clock.offsetMs += ms;
    },
    async makeSource(name, files) {
      const folder = join(sourceRoot, name);
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path);
        await mkdir(join(file, ".."), { recursive: true });
        await writeFile(file, text);
      }
      return folder;
    },
    defer: (end) => stack.defer(end),
    second: () => start(shared),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function signInOf(
  { origin, oidc, onRefused, onWarning }: NonNullable<InProcessOptions["signIn"]>,
  deps: Deps,
  note: (error: unknown) => void,
): SignInSettings {
  const site = { origin, isSecure: origin.startsWith("https:") };
  const provider = oidc === null ? null : createIdentityProvider(oidc, { site, clock: deps.clock });
  return { site, provider, signIns: createSignIns(deps), onRefused: onRefused ?? note, onWarning: onWarning ?? note };
}
