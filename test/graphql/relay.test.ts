/** Relay's compiler takes the schema, and pages through every connection of it. */
import { spawnSync } from "node:child_process";
import { mkdtemp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildSchema,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printSchemaText } from "../../src/graphql/server/print-schema.ts";

interface Connection {
  owner: string;
  field: string;
  /** Whether it pages both ways: `first`, `after`, `last` and `before`. */
  both: boolean;
  /** Arguments that must be given, with their types. */
  required: { name: string; type: string }[];
  node: string;
}

const text = printSchemaText();
const schema = buildSchema(text);
const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
const connections = types
  .filter(({ name }) => !name.startsWith("__"))
  .flatMap((type) => Object.values(type.getFields()).flatMap((field) => connectionOf(type, field)));

function connectionOf(owner: GraphQLObjectType, field: GraphQLField<unknown, unknown>): Connection[] {
  const type = getNamedType(field.type);
  if (!isObjectType(type) || !type.name.endsWith("Connection")) return [];
  const edges = type.getFields()["edges"];
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  const node = isObjectType(edge) ? edge.getFields()["node"] : undefined;
  if (node === undefined) throw new Error(`${type.name} has no nodes`);
  const names = field.args.map(({ name }) => name);
  const required = field.args.filter(isRequiredArgument).map((arg) => ({ name: arg.name, type: String(arg.type) }));
  return [
    {
      owner: owner.name,
      field: field.name,
      both: names.includes("before"),
      required,
      node: String(getNamedType(node.type)),
    },
  ];
}

/** A pagination fragment; where the owner can be fetched again by its id, also with a query of its own. */
function fragment({ owner, field, both, required }: Connection): string {
  const name = `${owner}_${field}`;
  const refetchable = owner === "Query" || schema.getPossibleTypes(nodeInterface()).some((type) => type.name === owner);
  const variables = [
    'count: { type: "Int", defaultValue: 10 }',
    'cursor: { type: "String" }',
    ...required.map((arg) => `${arg.name}: { type: "${arg.type}" }`),
  ];
  const paging = ["first: $count", "after: $cursor", ...required.map((arg) => `${arg.name}: $${arg.name}`)];
  return `
    fragment ${name} on ${owner} @argumentDefinitions(${variables.join(", ")})
    ${refetchable ? `@refetchable(queryName: "${name}PaginationQuery")` : ""} {
      ${field}(${paging.join(", ")}) @connection(key: "${name}__${field}") {
        edges { cursor node { __typename } }
        pageInfo { hasNextPage endCursor ${both ? "hasPreviousPage startCursor" : ""} }
      }
    }`;
}

function nodeInterface() {
  const type = schema.getType("Node");
  if (type === undefined || !("resolveType" in type) || isObjectType(type)) throw new Error("There is no Node");
  return type;
}

let folder: string;
let result: { status: number | null; output: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "relay-"));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "schema.graphql"), text);
  await writeFile(join(folder, "package.json"), "{}");
  const config = { src: "./src", schema: "./schema.graphql", language: "typescript", eagerEsModules: true };
  await writeFile(join(folder, "relay.config.json"), JSON.stringify(config));
  // A fragment's name begins with that of its file.
  for (const [owner, fields = []] of Object.entries(Object.groupBy(connections, ({ owner }) => owner))) {
    const documents = fields.map(
      (connection) => `export const ${connection.field} = graphql\`${fragment(connection)}\`;`,
    );
    await writeFile(join(folder, "src", `${owner}.ts`), documents.join("\n"));
  }
  // The package's module is the path of the program for this platform.
  const require = createRequire(import.meta.url);
  const program: unknown = require("relay-compiler");
  const run = spawnSync(String(program), ["./relay.config.json"], { cwd: folder, encoding: "utf8" });
  result = { status: run.status, output: run.stdout + run.stderr };
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("there are connections of every kind", () => {
  expect(new Set(connections.map(({ node }) => node))).toEqual(
    new Set([
      "BulkOperation",
      "BulkResult",
      "Changeset",
      "DriftedResource",
      "Grant",
      "InboxItem",
      "LogLine",
      "LogMatch",
      "Organization",
      "OrganizationMember",
      "PolicyException",
      "PolicyResult",
      "PolicyEvaluation",
      "PolicySet",
      "PolicySetVersion",
      "PolicySimulationResult",
      "PromotionPipeline",
      "RefChange",
      "RefusedRequest",
      "RejectedCommand",
      "ResourceChange",
      "ResourceDrift",
      "Run",
      "RunComment",
      "RunEvent",
      "Runner",
      "Schedule",
      "Session",
      "StateVersion",
      "Token",
      "TriggerDecision",
      "WebhookDelivery",
      "Workspace",
    ]),
  );
});

test("the compiler accepts a pagination fragment on each", async () => {
  expect(result.output).not.toMatch(/error/i);
  expect(result.status, result.output).toBe(0);
  const made = await readdir(join(folder, "src", "__generated__"));
  for (const { owner, field } of connections) expect(made).toContain(`${owner}_${field}.graphql.ts`);
});
