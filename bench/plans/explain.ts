/** How Postgres performs statements, and whether it would read a large table as a whole. */
import type { Client } from "pg";
import { z } from "zod";
import type { Sent } from "./noted-client.ts";

/** A table is large from so many rows; a smaller one is read as a whole for a reason. */
const LARGE_ROWS = 10_000;
/** The cost that Postgres estimates for planning a statement, without tables and for each of them (plancache.c). */
const PLANNING_COST = 2.5;

interface PlanNode {
  readonly type: string;
  readonly relation: string | null;
  readonly index: string | null;
  readonly cost: number;
  readonly below: readonly PlanNode[];
}

const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z
    .object({
      "Node Type": z.string(),
      "Relation Name": z.string().optional(),
      "Index Name": z.string().optional(),
      "Total Cost": z.number(),
      Plans: z.array(nodeSchema).optional(),
    })
    .transform((node) => ({
      type: node["Node Type"],
      relation: node["Relation Name"] ?? null,
      index: node["Index Name"] ?? null,
      cost: node["Total Cost"],
      below: node.Plans ?? [],
    })),
);
const answerSchema = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: nodeSchema })]) })]);

const nestedSchema = z.object({ Plan: nodeSchema });
const NESTED = [
  "load 'auto_explain'",
  "set local auto_explain.log_min_duration = 0",
  "set local auto_explain.log_nested_statements = on",
  "set local auto_explain.log_format = 'json'",
  "set local client_min_messages = 'log'",
];

export interface Explained {
  /** Node types with the tables and indexes that they use, one a line. */
  readonly shape: string;
  /** Large tables that are read as a whole. */
  readonly wholes: readonly string[];
}

/** As `explain` and a statement that was prepared: with its values, or for any values where Postgres would do that. */
export async function explain(client: Client, sent: Sent, large: ReadonlySet<string>): Promise<Explained> {
  const { text, values } = sent;
  const custom = await planOf(client, `explain (format json) ${text}`, values);
  const generic =
    values.length === 0 ? custom : await planOf(client, `explain (format json, generic_plan) ${text}`, []);
  // It reads nothing: what it calls does.
  if (relationsOf(custom).length === 0) return explainNested(client, sent, large);
  const planning = PLANNING_COST * (relationsOf(custom).length + 1);
  // After five times Postgres keeps the plan for any values where it is not dearer.
  const kept = generic.cost < custom.cost + planning ? generic : custom;
  const shapes = [shapeOf(custom), shapeOf(kept)];
  return {
    shape: shapes[0] === shapes[1] ? (shapes[0] ?? "") : `${shapes[0]}\nfor any values:\n${shapes[1]}`,
    wholes: [...new Set([...wholesOf(custom), ...wholesOf(kept)])].filter((table) => large.has(table)),
  };
}

/** Explains the statements of the functions that a statement calls, in a transaction that is rolled back. */
async function explainNested(client: Client, { text, values }: Sent, large: ReadonlySet<string>): Promise<Explained> {
  const plans: PlanNode[] = [];
  const note = ({ message }: { message?: string | undefined }): void => {
    const [, json] = /plan:\n(.*)$/s.exec(message ?? "") ?? [];
    if (json !== undefined) plans.push(nestedSchema.parse(JSON.parse(json)).Plan);
  };
  client.on("notice", note);
  await client.query("begin");
  for (const setting of NESTED) await client.query(setting);
  await client.query(text, [...values]);
  await client.query("rollback");
  client.off("notice", note);
  const reading = plans.filter((plan) => relationsOf(plan).length > 0);
  return {
    shape: reading.map((plan) => shapeOf(plan)).join("\nthen:\n"),
    wholes: [...new Set(reading.flatMap(wholesOf))].filter((table) => large.has(table)),
  };
}

export async function largeTables(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and reltuples >= $1",
    [LARGE_ROWS],
  );
  return new Set(rows.map(({ name }) => name));
}

async function planOf(client: Client, statement: string, values: readonly unknown[]): Promise<PlanNode> {
  const { rows } = values.length === 0 ? await client.query(statement) : await client.query(statement, [...values]);
  return answerSchema.parse(rows)[0]["QUERY PLAN"][0].Plan;
}

function shapeOf(node: PlanNode, indent = ""): string {
  const using = node.index === null ? "" : ` using ${node.index}`;
  const on = node.relation === null ? "" : ` on ${node.relation}`;
  return [`${indent}${node.type}${using}${on}`, ...node.below.map((one) => shapeOf(one, `${indent}  `))].join("\n");
}

function relationsOf(node: PlanNode): string[] {
  return [...(node.relation === null ? [] : [node.relation]), ...node.below.flatMap(relationsOf)];
}

function wholesOf(node: PlanNode): string[] {
  const own = node.type === "Seq Scan" && node.relation !== null ? [node.relation] : [];
  return [...own, ...node.below.flatMap(wholesOf)];
}
