/** The product's subscriptions on a port: authentication, rights, limits and metrics as in a server, without its rounds. */
import { createServer, type Server } from "node:http";
import type { PoolConfig } from "pg";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createHub, type Hub } from "../../src/bus/hub.ts";
import { createTails } from "../../src/bus/run-tails.ts";
import type { Tails } from "../../src/bus/tails.ts";
import { createTokenWatch } from "../../src/bus/token-watch.ts";
import { createDomain } from "../../src/domain/domain.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createGraphql } from "../../src/graphql/server/yoga.ts";
import { createMetrics } from "../../src/http/observe/metrics.ts";
import { createRequestScope } from "../../src/http/observe/request-scope.ts";
import { createRefusedTokens } from "../../src/http/route/refused-tokens.ts";
import { attachWebSocket } from "../../src/http/socket/websocket.ts";

export interface StreamServer {
  readonly server: Server;
  readonly hub: Hub;
}

/** `replace`: what is read from elsewhere than the database. */
export async function createStreamServer(
  deps: Deps,
  connection: PoolConfig,
  replace: (hub: Hub) => Partial<Tails> = () => ({}),
): Promise<StreamServer> {
  const hub = createHub();
  const fail = (error: unknown): never => {
    throw error;
  };
  await startHintListener({ ...connection }, hub, fail);
  const domain = createDomain(deps);
  const { clock } = deps;
  const metrics = createMetrics();
  const graphql = createGraphql({
    domain,
    tails: { ...createTails(deps.database, hub, { clock }), ...replace(hub) },
    cursorKeyOf: (subjectId) => deps.cipher.mac("cursors", subjectId),
    report: fail,
    onErrorCode: metrics.observer.error,
    logger: { debug: () => undefined },
  });
  const server = createServer();
  attachWebSocket(server, {
    graphql,
    path: "/graphql",
    site: null,
    enter: (secret) => domain.authenticate(secret),
    authenticate: (secret) => domain.authenticate(secret),
    recheck: (secret) => domain.authenticate(secret),
    addressOf: () => null,
    refusedTokens: createRefusedTokens(clock),
    watchToken: createTokenWatch(hub, { clock, reportError: fail }),
    reportError: fail,
    scope: createRequestScope(),
    observer: metrics.observer,
  });
  return { server, hub };
}
