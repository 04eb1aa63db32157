/** The composition root: builds every object by hand, and disposes them in reverse order. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { startHintListener } from "./bus/hint-listener.ts";
import { createHub, type Hub } from "./bus/hub.ts";
import { createTails } from "./bus/run-tails.ts";
import { createTokenWatch } from "./bus/token-watch.ts";
import { openCallerRates } from "./server/caller-rates.ts";
import type { Config } from "./server/config.ts";
import { createDomain } from "./domain/domain.ts";
import type { Deps } from "./domain/kit/deps.ts";
import { runnerToken } from "./domain/token/credentials.ts";
import { createFiguresReader } from "./domain/figures/read-figures.ts";
import { createCheckRequests } from "./domain/check-request/check-requests.ts";
import { createSampling } from "./domain/sampling/sampling.ts";
import { createTargetDesk } from "./domain/sampling/target-desk.ts";
import { createCheckAccess } from "./domain/external-check/take-report.ts";
import { createJobs } from "./domain/job/jobs.ts";
import { createReceiveHook } from "./domain/repository/receive-hook.ts";
import { createProgramRequests } from "./domain/programs/program-requests.ts";
import { createTokenExchange } from "./domain/programs/token-exchange.ts";
import { createStateFiles } from "./domain/state/state-files.ts";
import { createRightsCache } from "./domain/kit/rights-cache.ts";
import { installAdminToken, retireAdminToken } from "./domain/token/authenticate.ts";
import { createInboundHooks } from "./domain/schedule/receive-hook.ts";
import { createPolicyInputs } from "./domain/policy/policy-input.ts";
import { createLogExports } from "./domain/log/export-log.ts";
import { createChangeExports } from "./domain/run/export-changes.ts";
import { createTransferLimit, createTransfers } from "./domain/transfers.ts";
import type { Foundation } from "./server/foundation.ts";
import { createAnswerEvaluator } from "./evaluator/answer-evaluator.ts";
import { createEvaluator } from "./evaluator/evaluator.ts";
import { createGraphql } from "./graphql/server/yoga.ts";
import { createMetrics, type Metrics } from "./http/observe/metrics.ts";
import { createMetricsPage } from "./http/observe/metrics-page.ts";
import { createRequestScope, type RequestScope } from "./http/observe/request-scope.ts";
import { GRAPHQL_PATH } from "./http/kit/request-path.ts";
import { type HttpServer, startHttpServer } from "./http/server.ts";
import { createIngestion } from "./ingestion/ingestion.ts";
import { createUnauthenticatedLog } from "./ingestion/unauthenticated-log.ts";
import { createProber } from "./probing/prober.ts";
import { createIds } from "./model/kit/id.ts";
import type { CallerRates } from "./model/limit/caller-rates.ts";
import { createCipher } from "./persistence/installation/cipher.ts";
import { type Database, openDatabase } from "./persistence/database/database.ts";
import {
  checkMasterKey,
  checkServerVersion,
  InstallationError,
  isReachable,
} from "./persistence/installation/installation-store.ts";
import { migrateToLatest } from "./persistence/database/migrate.ts";
import { createNotifier } from "./persistence/database/notifier.ts";
import { openWebhookQueueOnDemand, type WebhookJobs } from "./persistence/webhook/webhook-queue.ts";
import { findEpoch } from "./persistence/feed/restoration-store.ts";
import { realRoots } from "./server/source-roots.ts";
import { startWorkers } from "./server/start-workers.ts";
import { openBlobs, openNats } from "./server/open-stores.ts";
import type { FoundEngine } from "./runner/engine/engine-discovery.ts";
import { startRunner } from "./server/start-runner.ts";
import { publicUrlOf } from "./server/public-url.ts";
import { createSignIn } from "./server/sign-in.ts";
import { openConsole } from "./server/console-folder.ts";
import { openGit } from "./server/open-git.ts";
import { databaseRefused, listenRefused } from "./server/start-error.ts";
import { countingLogs } from "./server/counting-logs.ts";
import { startPeriodicWork } from "./workers/periodic.ts";

export interface AppOptions {
  config: Config;
  /** Disposed with the app, also if the start fails. */
  foundation: Foundation;
  engine: FoundEngine | null;
  log: Logger;
  uid: number | undefined;
  /** Aborts the start. */
  signal?: AbortSignal;
}

export interface App {
  /** For example `http://127.0.0.1:4000`. */
  url: string;
  /** The file with the generated admin token; `null` if the configuration gives the token. */
  adminTokenPath: string | null;
  /**
   * Creates a link to the console that signs in with the admin token, once and within ten minutes; `null` where no
   * one can sign in, or the token is off.
   */
  createLink(): string | null;
  /** Stops everything; waits for a running apply. */
  stop(): Promise<void>;
  /** Interrupts the apply that a stop waits for. */
  interrupt(): void;
}

/** The parts of a server that need the database. */
interface Data {
  deps: Deps;
  hub: Hub;
  jobs: WebhookJobs;
  epoch: string;
  /** The secret of the administrator's token; `null`: that token is off. */
  adminToken: string | null;
}

/** The parts that observe the others: metrics, logs. */
interface Watching {
  metrics: Metrics;
  scope: RequestScope;
}

/** Starts Holdpoint. If a step fails, the earlier ones are undone. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log, foundation } = options;
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(foundation);
  const watching: Watching = { metrics: createMetrics(), scope: createRequestScope() };
  const data = await startData(stack, options, watching);
  const { deps, hub, jobs } = data;
  const draining = new AbortController();
  const rates = stack.use(openCallerRates(config.limits, deps.clock));
  const { http, createLink } = await startServer(stack, options, data, draining.signal, { ...watching, rates });
  const url = `http://${http.host.includes(":") ? `[${http.host}]` : http.host}:${http.port}`;
  for (const work of startPeriodicWork(deps, (kind, count) => watching.metrics.removed(kind, count))) stack.use(work);
  startWorkers(stack, deps, { hub, jobs, metrics: watching.metrics });
  const runner = config.runnerSlots === 0 ? null : startRunner(options, runnerToken(deps.cipher), http);
  await folder.announce(url);
  log.info({ url }, "Holdpoint is ready");

  const owned = stack.move();
  let stopping: Promise<void> | null = null;
  return {
    url,
    adminTokenPath: config.adminToken === undefined ? folder.adminTokenPath : null,
    createLink,
    stop: () => (stopping ??= stop()),
    interrupt: () => runner?.interrupt(),
  };

  async function stop(): Promise<void> {
    log.info("Holdpoint is shutting down");
    draining.abort();
    runner?.drain();
    // The runner still delivers results: everything else stays up until it has ended.
    await runner?.done;
    await owned.disposeAsync();
    log.info("Holdpoint has stopped");
  }
}

async function startData(
  stack: AsyncDisposableStack,
  { config, log, foundation, signal }: AppOptions,
  { metrics, scope }: Watching,
): Promise<Data> {
  const { folder } = foundation;
  const cipher = createCipher(config.masterKey ?? (await folder.readOrCreateMasterKey()));
  const adminToken = config.adminToken === undefined ? await folder.readOrCreateAdminToken() : config.adminToken;
  const connection = await foundation.connection();
  const warn = (error: Error): void => log.warn({ err: error }, "A database connection was lost");
  const clock = (): Date => new Date();
  const overDatabase = stack.use(createNotifier(connection, warn));
  const nats =
    config.nats === undefined
      ? null
      : stack.use(await openNats(config.nats, { cipher, fallback: overDatabase, clock, log }));
  const notifier = nats?.notifier ?? overDatabase;
  const database: Database = stack.use(
    openDatabase(connection, { notifier, onError: warn, observer: metrics.transactions }),
  );
  await checkServerVersion(database).catch((error: unknown) => {
    if (config.databaseUrl === undefined || error instanceof InstallationError) throw error;
    throw databaseRefused(error);
  });
  const migrations = await migrateToLatest(database.sql, {
    signal,
    onRetry: (error) => log.warn({ err: error }, "Another session blocks a migration; retrying"),
  });
  if (migrations.length > 0) log.info({ migrations }, "The database was migrated");
  await checkMasterKey(database, cipher);
  const sourceRoots = await realRoots(config.sourceRoots);
  const repositories = await openGit(stack, config, { cipher, sourceRoots });
  const jobs = stack.use(
    await openWebhookQueueOnDemand(connection, database, warn).catch((error: unknown) => {
      throw config.databaseUrl === undefined ? error : databaseRefused(error);
    }),
  );
  const reportError = (error: unknown, where: string): void =>
    log.error({ err: error, where, ...scope.current() }, "Unexpected error");
  const blobs = await openBlobs(config, log, { database, cipher, clock, onError: reportError });
  const deps: Deps = {
    database,
    rights: createRightsCache({ database, clock }),
    cipher,
    blobs,
    clock,
    newId: createIds(clock, (count) => randomBytes(count)),
    randomBytes: (count) => randomBytes(count),
    sourceRoots,
    ...repositories,
    evaluator: stack.adopt(createEvaluator(), (evaluator) => evaluator.close()),
    prober: createProber({
      evaluator: stack.adopt(createAnswerEvaluator(), (evaluator) => evaluator.close()),
      allowed: config.probeAllow,
      clock,
    }),
    webhooks: jobs,
    webhookAllow: config.webhookAllow,
    issuerAllow: config.issuerAllow,
    publicUrl: publicUrlOf(config),
    hasIdentityProvider: config.signIn.oidc !== undefined,
    sponsoredMs: config.signIn.invitedHours * 3_600_000,
    reportError,
  };
  if (adminToken === null) {
    const { oidc } = config.signIn;
    await retireAdminToken(deps, { hasProvider: oidc !== undefined, hasGroup: (oidc?.adminGroup ?? null) !== null });
  } else {
    await installAdminToken(deps, adminToken);
  }
  const hub = createHub();
  stack.use(await startHintListener(connection, hub, warn, () => nats?.peerAway()));
  nats?.listen(hub);
  return { deps, hub, jobs, epoch: await findEpoch(database), adminToken };
}

async function startServer(
  stack: AsyncDisposableStack,
  { config, log }: AppOptions,
  { deps, hub, epoch, adminToken }: Data,
  draining: AbortSignal,
  { metrics, scope, rates }: Watching & { rates: CallerRates },
): Promise<{ http: HttpServer; createLink: App["createLink"] }> {
  const domain = createDomain(deps);
  const report = (error: unknown, errorId: string): void =>
    log.error({ err: error, errorId, ...scope.current() }, "A request failed");
  const reportError = (error: unknown): string => {
    const errorId = randomUUID();
    report(error, errorId);
    return errorId;
  };
  const graphql = createGraphql({
    domain,
    tails: createTails(deps.database, hub, { clock: deps.clock }),
    report,
    onErrorCode: metrics.observer.error,
    logger: { debug: (message) => log.debug(message) },
    epoch,
    cursorKeyOf: (subjectId) => deps.cipher.mac("cursors", subjectId),
    executor: config.executor,
    endpoint: GRAPHQL_PATH,
  });
  const ingestion = createIngestion({
    jobs: countingLogs(createJobs(deps), metrics),
    checkRequests: createCheckRequests(deps),
    sampling: createSampling(deps),
    targetDesk: createTargetDesk(deps),
    note: scope.note,
    clock: deps.clock,
    draining,
    reportError,
    onUnauthenticated: createUnauthenticatedLog({
      clock: deps.clock,
      warn: (facts, message) => log.warn({ ...facts, ...scope.current() }, message),
    }),
    waitFor: (topic, signal) => {
      const watch = hub.watch(topic);
      signal.addEventListener("abort", () => watch[Symbol.dispose](), { once: true });
      return watch;
    },
  });
  const signIn = await createSignIn(config, deps, {
    onRefused: (error, step) => log.warn({ err: error, step, ...scope.current() }, "A sign-in did not succeed"),
    onWarning: (message) => log.warn(scope.current(), message),
  });
  const transferLimit = createTransferLimit();
  const metricsPage = createMetricsPage({
    metrics,
    readFigures: createFiguresReader(deps),
    onFailure: (error) => log.warn({ err: error, ...scope.current() }, "The figures for metrics could not be read"),
  });
  const started = startHttpServer(
    {
      graphql,
      ...(signIn && { signIn }),
      programs: {
        requests: createProgramRequests(deps),
        exchange: createTokenExchange(deps),
        onRefused: (reason) => log.warn({ reason, ...scope.current() }, "A token was not exchanged"),
      },
      hooks: {
        receive: createReceiveHook(deps),
        onResult: (outcome) => metrics.hint(outcome),
        clock: deps.clock,
        trustedProxies: config.trustedProxies,
      },
      ingestion,
      console: { ...openConsole((problem) => log.warn(problem), draining), site: signIn?.site ?? null },
      transfers: createTransfers(deps, transferLimit),
      stateFiles: createStateFiles(deps, transferLimit),
      logExports: createLogExports(deps),
      changeExports: createChangeExports(deps),
      policyInputs: createPolicyInputs(deps),
      inboundHooks: createInboundHooks(deps),
      checks: createCheckAccess(deps),
      runWaits: { queries: domain, watch: (runId) => hub.watch(`run:${runId}`) },
      authenticate: (secret, addressOf) => domain.authenticate(secret, addressOf),
      recheck: (secret, addressOf) => domain.recheck(secret, addressOf),
      watchToken: createTokenWatch(hub, { clock: deps.clock, reportError }),
      isReady: async () => (await isReachable(deps.database)) && !(await deps.database.isFull()),
      clock: deps.clock,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      rates,
      reportError,
      scope,
      observer: {
        ...metrics.observer,
        request(line) {
          metrics.observer.request(line);
          log.debug(line, "Request");
        },
      },
      metrics: metricsPage,
    },
    { host: config.host, port: config.port },
  ).catch((error: unknown) => {
    throw listenRefused(error);
  });
  const http = stack.use(await started);
  const createLink = (): string | null =>
    signIn === null || adminToken === null
      ? null
      : `${signIn.site.origin}/login#code=${signIn.signIns.createLink(adminToken)}`;
  return { http, createLink };
}
