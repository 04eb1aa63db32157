import type { ExecutionResult } from "graphql";
import { inject } from "vitest";

import type { Tails } from "../../src/bus/tails.ts";
import type { Domain } from "../../src/domain/domain.ts";
import { prepareOperation } from "../../src/graphql/server/operation.ts";
import { createGraphql, type Graphql } from "../../src/graphql/server/yoga.ts";
import { createFakeDomain, fakeCaller } from "./fake-domain.ts";
import { createFakeTails, fakeCursorKey } from "./fake-tails.ts";
import { sendHere } from "./two-ways.ts";

export interface TestGraphql {
  graphql: Graphql;
  /** What was masked, with the ids. */
  reported: { error: unknown; errorId: string }[];
  /** Runs a query or mutation over HTTP, in process; see `eitherWay`. */
  request: (query: string, variables?: Record<string, unknown>) => Promise<ExecutionResult>;
  /** Opens a subscription as a WebSocket does; what fails at once is the only item. */
  subscribe: (query: string, variables?: Record<string, unknown>) => Promise<AsyncIterableIterator<ExecutionResult>>;
}

/** The endpoint over fakes, in this process. */
export function createTestGraphql(given: { domain?: Domain; tails?: Tails } = {}): TestGraphql {
  const reported: TestGraphql["reported"] = [];
  const graphql = createGraphql({
    domain: given.domain ?? createFakeDomain().domain,
    tails: given.tails ?? createFakeTails().tails,
    cursorKeyOf: fakeCursorKey,
    report: (error, errorId) => reported.push({ error, errorId }),
    logger: { debug: () => {} },
    executor: inject("executor"),
  });
  return {
    graphql,
    reported,
    request: async (query, variables) =>
      toResult(await sendHere(graphql, { caller: fakeCaller }, JSON.stringify({ query, variables }))),
    subscribe: async (query, variables) => {
      const prepared = await prepareOperation(graphql, { caller: fakeCaller }, { query, variables });
      if (!("document" in prepared)) return only({ errors: prepared });
      const opened: unknown = await prepared.subscribe(prepared);
      return isStream(opened) ? opened : only(toResult(opened));
    },
  };
}

function isStream(value: unknown): value is AsyncIterableIterator<ExecutionResult> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === "object" && value !== null && ("data" in value || "errors" in value);
}

function toResult(value: unknown): ExecutionResult {
  if (!isResult(value)) throw new Error(`no result: ${JSON.stringify(value)}`);
  return value;
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result;
}
