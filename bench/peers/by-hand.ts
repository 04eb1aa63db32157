/**
 * Code by hand for these operations and nothing else: node:http, pg, named statements, no GraphQL.
 * With `sql` as the second argument Postgres builds the JSON, one statement a request; with `rows` Node does. With `token`
 * it is `sql` behind a look-up of the token, which is what a server without a cache of tokens does at least.
 */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { argv } from "node:process";
import { type Pool, types } from "pg";
import { listen, openPool } from "./listen.ts";
import { readCursor, writeCursor } from "./store.ts";

interface Asked {
  readonly query: string;
  readonly variables: { readonly id?: string; readonly after?: string };
}
type Answer = (asked: Asked) => Promise<string>;

const RUN_JSON = `json_build_object('id', r.id, 'number', r.number, 'status', r.status, 'trigger', r.trigger,
  'message', r.message, 'createdAt', r.created_at, 'phases', (select json_agg(json_build_object('kind', p.kind,
  'status', p.status, 'startedAt', p.started_at, 'finishedAt', p.finished_at) order by p.id)
  from phase p where p.run_id = r.id))`;
const LISTED_JSON = `json_build_object('id', r.id, 'number', r.number, 'status', r.status, 'trigger', r.trigger,
  'message', r.message, 'createdAt', r.created_at, 'workspace', json_build_object('name', w.name),
  'createdBy', json_build_object('name', a.name))`;
const CURSOR = `translate(encode(convert_to(r.id, 'UTF8'), 'base64'), E'\\n', '')`;
const connection = (condition: string, json = RUN_JSON): string => `(select json_build_object(
  'edges', json_agg(json_build_object('cursor', c, 'node', j) order by id desc) filter (where n <= 20),
  'pageInfo', json_build_object('hasNextPage', count(*) > 20, 'endCursor', max(c) filter (where n = 20)))
  from (select r.id, row_number() over (order by r.id desc) n, ${CURSOR} c, ${json} j
    from run r ${condition} order by r.id desc limit 21) page)`;
const data = (field: string, json: string): string =>
  `json_build_object('data', json_build_object('${field}', ${json}))::text`;
const TEXTS = {
  workspace: `select ${data("workspace", `json_build_object('name', w.name, 'runs', ${connection("where r.workspace_id = w.id")})`)} as text
    from workspace w where w.id = $1`,
  run: `select ${data("run", RUN_JSON)} as text from run r where r.id = $1`,
  newest: `select ${data("runs", connection(""))} as text`,
  after: `select ${data("runs", connection("where r.id < $1"))} as text`,
  list: `select ${data("runs", connection("join workspace w on w.id = r.workspace_id join actor a on a.id = r.created_by", LISTED_JSON))} as text`,
};

/** Finds the operation by a piece of its text: a server of five operations needs no parser. */
function kindOf({ query, variables }: Asked): keyof typeof TEXTS {
  if (query.includes("workspace(")) return "workspace";
  if (query.includes("run(")) return "run";
  if (query.includes("createdBy")) return "list";
  return variables.after === undefined ? "newest" : "after";
}

function inSql(pool: Pool): Answer {
  return async (asked) => {
    const name = kindOf(asked);
    const { id, after } = asked.variables;
    const parameter = after === undefined ? id : readCursor(after);
    const values = parameter === undefined ? [] : [parameter];
    const { rows } = await pool.query<{ text: string }>({ name, text: TEXTS[name], values });
    return rows[0]?.text ?? '{"data":null}';
  };
}

const TOKEN_TEXT = `select 1 from token t join actor a on a.id = t.actor_id where t.secret_hash = $1
  and t.revoked_at is null and a.disabled_at is null and (t.expires_at is null or t.expires_at > now())`;

/** @throws Error if the token of the request is not in force */
async function checkToken(pool: Pool, { headers }: IncomingMessage): Promise<void> {
  const secret = headers.authorization?.slice("Bearer ".length) ?? "";
  const values = [hash("sha256", secret, "buffer")];
  const { rows } = await pool.query({ name: "token", text: TOKEN_TEXT, values });
  if (rows.length === 0) throw new Error("The token is not in force.");
}

interface Row {
  readonly [column: string]: string | number | null;
}

function toPage(found: readonly Record<string, unknown>[], count = found.length): object {
  const edges = found.slice(0, 20).map((node) => ({ cursor: writeCursor(String(node["id"])), node }));
  return { edges, pageInfo: { hasNextPage: count > 20, endCursor: edges.at(-1)?.cursor ?? null } };
}

function toListed({ created_at: createdAt, workspace, creator, ...run }: Row): Record<string, unknown> {
  return { ...run, createdAt, workspace: { name: workspace }, createdBy: { name: creator } };
}

function inNode(pool: Pool): Answer {
  const rows = async (name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;
  const columns = "id, number, status, trigger, message, created_at";
  const runs = (condition: string, values: unknown[]): Promise<Row[]> =>
    rows(`runs ${condition}`, `select ${columns} from run ${condition} order by id desc limit 21`, values);
  async function withPhases(found: readonly Row[]): Promise<Record<string, unknown>[]> {
    const text = "select run_id, kind, status, started_at, finished_at from phase where run_id = any ($1) order by id";
    const phases = new Map<unknown, unknown[]>(found.map(({ id }) => [id, []]));
    for (const { run_id, kind, status, started_at: startedAt, finished_at: finishedAt } of await rows("phases", text, [
      found.map(({ id }) => id),
    ])) {
      phases.get(run_id)?.push({ kind, status, startedAt, finishedAt });
    }
    return found.map(({ created_at: createdAt, ...run }) => ({ ...run, createdAt, phases: phases.get(run["id"]) }));
  }
  const page = async (found: Row[]): Promise<object> => toPage(await withPhases(found.slice(0, 20)), found.length);
  return async (asked) => {
    const { id, after } = asked.variables;
    switch (kindOf(asked)) {
      case "workspace": {
        const [[workspace], found] = await Promise.all([
          rows("workspace", "select name from workspace where id = $1", [id]),
          runs("where workspace_id = $1", [id]),
        ]);
        return JSON.stringify({ data: { workspace: { name: workspace?.["name"], runs: await page(found) } } });
      }
      case "run": {
        const [run] = await withPhases(await rows("run", `select ${columns} from run where id = $1`, [id]));
        return JSON.stringify({ data: { run } });
      }
      case "newest":
        return JSON.stringify({ data: { runs: await page(await runs("", [])) } });
      case "list": {
        const listed = `${columns.replaceAll(/\b(\w+)\b/g, "r.$1")}, w.name as workspace, a.name as creator`;
        const text = `select ${listed} from run r join workspace w on w.id = r.workspace_id
          join actor a on a.id = r.created_by order by r.id desc limit 21`;
        return JSON.stringify({ data: { runs: toPage((await rows("list", text, [])).map(toListed)) } });
      }
      case "after":
        return JSON.stringify({ data: { runs: await page(await runs("where id < $1", [readCursor(after ?? "")])) } });
    }
  };
}

function read(request: IncomingMessage): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => resolve(JSON.parse(Buffer.concat(pieces).toString())));
    request.on("error", reject);
  });
}

// Instants stay text, as Holdpoint has them.
types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
const pool = openPool();
const answer = argv[3] === "rows" ? inNode(pool) : inSql(pool);
const enter = argv[3] === "token" ? (request: IncomingMessage) => checkToken(pool, request) : () => Promise.resolve();
listen(
  createServer((request, response) => {
    Promise.all([read(request), enter(request)])
      .then(([asked]) => answer(asked))
      .then((text) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
        response.end(text);
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  }),
);
