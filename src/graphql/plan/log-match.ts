import type { LogMatch, TextSpan } from "../../model/log/log-search.ts";
import { searchTextProblem } from "../../model/log/log-search.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { numberPosition } from "../kit/cursor.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError } from "../kit/errors.ts";
import { listCost } from "../kit/list-cost.ts";
import { loaderOfFew } from "../kit/loader.ts";
import { toPageRequest } from "../kit/page.ts";
import { LogLineRef, RunRef } from "../kit/refs.ts";
import { logOf } from "./log.ts";

type LogMatchConnection = Connection<LogMatch> & { searchedTo: number };

interface SearchKey {
  runId: string;
  text: string;
  after: number;
  limit: number;
}

/** The points of one search, which reads a log; the matches cost no more. */
const POINTS = listCost({ max: 1, size: 1, perPoint: 1 / 20 });
const MOST = LIMITS.logSearchesPerRequest;
const matchesLoader = loaderOfFew(
  (domain, caller, { runId, ...search }: SearchKey) => domain.listLogMatches(caller, runId, search),
  (key) => JSON.stringify(Object.values(key)),
  { most: MOST, path: "logMatches", message: `At most ${MOST} logs are searched by one request.` },
);

const SpanRef = builder.objectRef<TextSpan>("TextSpan").implement({
  description: "A part of a text, in UTF-16 code units, as JavaScript counts them.",
  fields: (t) => ({
    from: t.exposeInt("from", { description: "The index of the first unit, from 0." }),
    to: t.exposeInt("to", { description: "The index behind the last unit." }),
  }),
});

const LogMatchRef = builder.objectRef<LogMatch>("LogMatch").implement({
  description: "A line of a log that has the text that was searched for.",
  fields: (t) => ({
    line: t.expose("line", { type: LogLineRef, description: "The line." }),
    spans: t.field({
      type: [SpanRef],
      description: `The first places of the text in the line, in order; at most ${LIMITS.logSpansPerLine}.`,
      resolve: ({ spans }) => spans,
    }),
  }),
});

const EdgeRef = edgeRef<LogMatch>("LogMatch", "match");
const ConnectionRef = connectionRef<LogMatch, { searchedTo: number }>(
  "LogMatch",
  "Matches of a search in a log, in the order of the lines. `pageInfo.endCursor` is the last line that was searched, also if it does not match: pass it as `after` to continue. A page may have no match, and `hasNextPage` be true.",
);
builder.objectField(EdgeRef, "node", (t) => t.expose("node", { type: LogMatchRef, description: "The match." }));
builder.objectFields(ConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The matches.", resolve: (connection) => connection.edges }),
  searchedTo: t.exposeInt("searchedTo", {
    description: "The number of the last line that was searched; 0 if there was none.",
  }),
}));

async function searchLog(
  context: GraphqlContext,
  runId: string,
  { text, first, after }: { text: string; first?: number | null | undefined; after?: string | null | undefined },
): Promise<LogMatchConnection> {
  const problem = searchTextProblem(text);
  if (problem !== null) throw inputError([{ path: ["text"], message: problem }]);
  const name = logOf(context, runId);
  const request = toPageRequest({ first, after }, { name, position: numberPosition });
  const key = { runId, text, after: request.after ?? 0, limit: request.limit };
  const page = await context.loaders.load(matchesLoader, key);
  const { pageInfo, ...connection } = toConnection(name, page, ({ line }) => line.number);
  const { searchedTo } = page;
  const endCursor =
    searchedTo === 0 ? null : toConnection(name, { ...page, items: [searchedTo] }, (one) => one).pageInfo.endCursor;
  return { ...connection, pageInfo: { ...pageInfo, endCursor }, searchedTo };
}

builder.objectField(RunRef, "logMatches", (t) =>
  t.field({
    type: ConnectionRef,
    description: `The lines of the whole log that have a text, without regard to case. The server reads up to ${LIMITS.logSearchBytes / 1024 ** 2} MiB of text for a page; if the log has more, \`hasNextPage\` is true and \`endCursor\` continues the search. At most ${MOST} logs are searched by one request. A search costs 20 points.`,
    args: {
      text: t.arg.string({
        required: true,
        extensions: POINTS,
        description: `The text, literally, on one line; 1 to ${LIMITS.searchTextLength} characters.`,
      }),
      first: t.arg.int({
        description: `The most matches; at most ${LIMITS.pageSize}, ${LIMITS.defaultPageSize} by default.`,
      }),
      after: t.arg.string({
        description: "Only lines after the one with this cursor, which may also be one of `Run.log`.",
      }),
    },
    resolve: (run, args, context) => searchLog(context, run.id, args),
  }),
);
