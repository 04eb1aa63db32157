/** The operations, in the words of each schema: the same rows and the same columns of all servers. */
import type { BigDatabase } from "../part.ts";
import { writeCursor } from "../../src/graphql/kit/cursor.ts";

export const OPERATIONS = ["workspace", "run", "newest", "deep", "list"] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** How runs are numbered in the data set: the newest one has the highest number. */
export interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** One of the schemas that the data is asked through. */
export interface Dialect {
  ask(operation: OperationName, number: number): Asked;
}

const PAGE = 20;
/** How far down the deep page begins, out of a million; as far in smaller data sets. */
const DEEP_SHARE = 0.9;

const RUN = "id number status trigger message createdAt phases { kind status startedAt finishedAt }";
const LISTED = "id number status trigger message createdAt workspace { name } createdBy { name }";
const connectionOf = (node: string): string => `edges { cursor node { ${node} } } pageInfo { hasNextPage endCursor }`;
const CONNECTION = connectionOf(RUN);

function runsQuery(connection: string): Record<"newest" | "deep" | "list", string> {
  return {
    newest: `{ runs(first: ${PAGE}) { ${connection} } }`,
    deep: `query ($after: String) { runs(first: ${PAGE}, after: $after) { ${connection} } }`,
    list: `{ runs(first: ${PAGE}) { ${connectionOf(LISTED)} } }`,
  };
}

/** Number of the run after which the deep page begins. */
function deepRunNumber({ runCount }: BigDatabase["sample"]): number {
  return runCount - 1 - Math.floor(runCount * DEEP_SHARE);
}

function variablesOf(
  sample: BigDatabase["sample"],
  operation: OperationName,
  number: number,
  cursor: (runId: string) => string,
): Record<string, string> {
  switch (operation) {
    case "workspace":
      return { id: sample.workspaceId(number % sample.workspaceCount) };
    case "run":
      return { id: sample.runId(number % sample.runCount) };
    case "newest":
    case "list":
      return {};
    case "deep":
      return { after: cursor(sample.runId(deepRunNumber(sample))) };
  }
}

export function holdpointDialect(sample: BigDatabase["sample"]): Dialect {
  const queries = {
    workspace: `query ($id: ID!) { workspace(by: { id: $id }) { name runs(first: ${PAGE}) { ${CONNECTION} } } }`,
    run: `query ($id: ID!) { run(id: $id) { ${RUN} } }`,
    ...runsQuery(CONNECTION),
  };
  return {
    ask: (operation, number) => ({
      query: queries[operation],
      variables: variablesOf(sample, operation, number, (id) => writeCursor("runs", id)),
    }),
  };
}

/** The schema of peers with resolvers by hand, and what the handler by hand understands. */
export function plainDialect(sample: BigDatabase["sample"]): Dialect {
  const queries = {
    workspace: `query ($id: ID!) { workspace(id: $id) { name runs(first: ${PAGE}) { ${CONNECTION} } } }`,
    run: `query ($id: ID!) { run(id: $id) { ${RUN} } }`,
    ...runsQuery(CONNECTION),
  };
  return {
    ask: (operation, number) => ({
      query: queries[operation],
      variables: variablesOf(sample, operation, number, (id) => Buffer.from(id).toString("base64url")),
    }),
  };
}

/** PostGraphile's own names for the tables. `deepCursor`: its cursor of the run after which the deep page begins. */
export function postgraphileDialect(sample: BigDatabase["sample"], deepCursor: string): Dialect {
  const run = `rowId number status trigger message createdAt
    phasesByRunId(orderBy: [ROW_ID_ASC]) { nodes { kind status startedAt finishedAt } }`;
  const connection = `edges { cursor node { ${run} } } pageInfo { hasNextPage endCursor }`;
  const listed = `rowId number status trigger message createdAt workspaceByWorkspaceId { name } actorByCreatedBy { name }`;
  const queries = {
    workspace: `query ($id: String!) { workspaceByRowId(rowId: $id) {
      name runsByWorkspaceId(first: ${PAGE}, orderBy: [ROW_ID_DESC]) { ${connection} } } }`,
    run: `query ($id: String!) { runByRowId(rowId: $id) { ${run} } }`,
    newest: `{ allRuns(first: ${PAGE}, orderBy: [ROW_ID_DESC]) { ${connection} } }`,
    deep: `query ($after: Cursor) { allRuns(first: ${PAGE}, after: $after, orderBy: [ROW_ID_DESC]) { ${connection} } }`,
    list: `{ allRuns(first: ${PAGE}, orderBy: [ROW_ID_DESC]) { ${connectionOf(listed)} } }`,
  };
  return {
    ask: (operation, number) => ({
      query: queries[operation],
      variables: variablesOf(sample, operation, number, () => deepCursor),
    }),
  };
}

/** How PostGraphile is asked for the cursor of one run: by a slow way, once. */
export function postgraphileCursorQuery(sample: BigDatabase["sample"]): string {
  const offset = sample.runCount - 1 - deepRunNumber(sample);
  return `{ allRuns(first: 1, offset: ${offset}, orderBy: [ROW_ID_DESC]) { edges { cursor } } }`;
}
