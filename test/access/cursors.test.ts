/**
 * The cursors of all lists: each is the place of an item that the caller sees, and tells nothing about items that are hidden,
 * or how many there are. The schema says which lists there are.
 */
import { getNamedType, type GraphQLObjectType, isLeafType, isObjectType, isRequiredArgument } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";
import type { Data } from "../support/api.ts";
import { createMixedWorld, type MixedWorld } from "./mixed-world.ts";
import { NODES } from "./field-probes.ts";
import { addParts } from "./parts-world.ts";
import { createPrincipals, DIFFERING, type Principal } from "./principals.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";
import { createWorld, readPlaces, type World } from "./world.ts";

/**
 * The position in the cursors of each list. `id`, `slug`, ...: this field of the item. `sealed`: a number that hidden items
 * count too, encrypted. `own`: a number that only items of the same parent count, all of which its readers see. `queue`: the
 * class, priority and number of a run.
 */
const POSITIONS: Readonly<Record<string, string>> = {
  "BulkOperation.results": "sealed",
  "Changeset.runs": "id",
  "DriftReport.resources": "own",
  "Organization.changesets": "id",
  "Organization.pipelines": "id",
  "Organization.policySets": "id",
  "Organization.rejectedCommands": "sealed",
  "Organization.runners": "id",
  "Organization.schedules": "id",
  "Organization.workspaces": "name",
  "Phase.log": "own",
  "Plan.drift": "own",
  "Plan.resourceChanges": "own",
  "PolicySet.exceptions": "id",
  "PolicyEvaluation.results": "own",
  "PolicySet.versions": "own",
  "PolicySetVersion.evaluations": "id",
  "PolicySimulation.results": "sealed",
  "PolicySet.workspaces": "name",
  "Query.actors": "actor",
  "Query.bulkOperations": "id",
  "Query.grants": "id",
  "Query.organizations": "slug",
  "Query.runs": "id",
  "Query.sessions": "id",
  "Query.tokens": "id",
  "RefChange.decisions": "workspace",
  "Repository.changes": "own",
  "Run.comments": "id",
  "Run.events": "own",
  "Run.log": "own",
  "Run.refusedRequests": "sealed",
  "Run.rejectedCommands": "sealed",
  "RunnerPool.runners": "id",
  "Webhook.deliveries": "id",
  "Workspace.queue": "queue",
  "Workspace.rejectedCommands": "sealed",
  "Workspace.runs": "id",
  "Workspace.stateVersions": "own",
};
/** Cursors that are numbers of lines, searched or found, of a log that its readers see as a whole: log-lines.test.ts compares them. */
const SEARCHES = new Set(["Run.logMatches"]);
/** Items that are shown by the object that they name. */
const NAMED = ["actor", "workspace"];

interface List {
  name: string;
  type: string;
  field: string;
  node: GraphQLObjectType;
}

function listsOfSchema(): List[] {
  const lists: List[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const of = getNamedType(field.type);
      const node = schema.getType(of.name.replace(/Connection$/, ""));
      if (!of.name.endsWith("Connection") || (!isObjectType(node) && of.name !== "RunEventConnection")) continue;
      // Of the members of this interface all have these fields.
      if (SEARCHES.has(`${type.name}.${field.name}`)) continue;
      const shown = isObjectType(node) ? node : schema.getType("RunStatusChanged");
      if (isObjectType(shown))
        lists.push({ name: `${type.name}.${field.name}`, type: type.name, field: field.name, node: shown });
    }
  }
  return lists;
}

let walk: WalkScene;
let world: World;
let mixed: MixedWorld;
let principals: Principal[];
/** Parents of lists that few of their kind have. */
let rich: string[];
beforeAll(async () => {
  walk = await openWalkScene();
  world = await createWorld(walk);
  mixed = await createMixedWorld(walk, world);
  await addParts(walk, world);
  principals = await createPrincipals(walk, world, [], [...DIFFERING, "OPERATOR of the installation"]);
  world = { ...world, ...(await readPlaces(walk)) };
  const rows = await walk.scene.rows(
    `select run_id as id from refused_request
      union (select p.id from phase p join run r on r.id = p.run_id where p.kind = 'PLAN' and r.number = 1)
      union (select evaluation_id from policy_result)`,
  );
  rich = rows.map(({ id }: Data) => id);
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

const PARENTS = 4;

/** Parents at different places; those that have something of all places first. */
function parentsOf(type: string): string[] {
  const prefix = Object.entries({ ...NODES, peval: "PolicyEvaluation" }).find(([, name]) => name === type)?.[0];
  const mixedIds = [mixed.changesetId, ...mixed.operationIds, ...rich].filter((id) => id.startsWith(`${prefix}_`));
  const byPlace = new Map<string, string>();
  for (const [id, { organizationId, projectId }] of world.places) {
    if (!id.startsWith(`${prefix}_`)) continue;
    const place = `${organizationId} ${projectId}`;
    for (const key of [place, `${place} last`]) if (key === `${place} last` || !byPlace.has(key)) byPlace.set(key, id);
  }
  return [...new Set([...mixedIds, ...byPlace.values()])];
}

/** The own fields of an item, without those about the caller. */
function fieldsOf({ node, name }: List): string {
  const leaves = Object.values(node.getFields()).filter(
    ({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument),
  );
  const position = POSITIONS[name] ?? "";
  const parts = leaves
    .map((field) => field.name)
    .filter((field) => field !== "viewerPermissions" && field !== "cursor");
  const selection = `${parts.join(" ")} ${NAMED.includes(position) ? `${position} { id }` : ""}`;
  return name === "Run.events" ? "... on RunEvent { version at }" : selection;
}

interface Asked {
  edges: Data[];
  pageInfo: Data;
}

async function ask(
  api: Principal["api"],
  list: List,
  id: string,
  page: string,
  variables: object,
): Promise<Asked | null> {
  const selection = `list: ${list.field}(${page}) { edges { cursor node { ${fieldsOf(list)} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const [head, body] =
    list.type === "Query" ? ["", selection] : [", $id: ID!", `node(id: $id) { ... on ${list.type} { ${selection} } }`];
  const query = `query ($after: String, $first: Int${head}) { ${body} }`;
  const answer = await api.ask(query, { ...variables, ...(list.type !== "Query" && { id }) });
  return (list.type === "Query" ? answer.list : answer.node?.list) ?? null;
}

const positionIn = (cursor: string): unknown => JSON.parse(Buffer.from(cursor, "base64url").toString())[2];

const SEALED = /^[\w-]{22}$/;

describe("the cursors of a list", () => {
  const lists = listsOfSchema();

  it("have a line", () => {
    expect(lists.map(({ name }) => name).toSorted()).toEqual(Object.keys(POSITIONS).toSorted());
  });

  it("are places of items that are shown, to each caller", async () => {
    const failures: string[] = [];
    const filled = new Set<string>();
    const differing = new Set<string>();
    for (const list of lists) {
      for (const id of list.type === "Query" ? [""] : parentsOf(list.type).slice(0, PARENTS)) {
        const sizes = new Set<number>();
        for (const { name, api } of [{ name: "the administrator", api: walk.scene.api }, ...principals]) {
          const whole = await ask(api, list, id, "first: $first, after: $after", { first: 50 });
          if (whole === null) continue;
          const title = `${name}: ${list.name} of ${id}`;
          sizes.add(whole.edges.length);
          if (whole.edges.length > 0) filled.add(list.name);
          for (const edge of whole.edges) {
            const problem = problemOf(list, edge, whole.edges);
            if (problem !== null) failures.push(`${title}: ${problem}`);
          }
          const paged = await pageBy(api, list, id, whole);
          if (paged !== null) failures.push(`${title}: ${paged}`);
        }
        if (sizes.size > 1) differing.add(list.name);
      }
    }
    expect(failures.slice(0, 20), `${failures.length}`).toEqual([]);
    expect([...filled].toSorted()).toEqual(Object.keys(POSITIONS).toSorted());
    // Of these some callers see a part.
    expect(differing.size).toBeGreaterThan(5);
  }, 300_000);
});

/** How a cursor differs from what its line says; `null` if it does not. */
function problemOf({ name }: List, { cursor, node }: Data, edges: readonly Data[]): string | null {
  const position = positionIn(cursor);
  const kind = POSITIONS[name] ?? "";
  if (kind === "sealed") return SEALED.test(String(position)) ? null : `${String(position)} is not sealed`;
  if (kind === "queue") {
    const wanted = new RegExp(`^[012]\\.${node.priority}\\.${node.number}$`);
    return wanted.test(String(position)) ? null : `${String(position)} is not ${wanted.source}`;
  }
  if (kind === "own") {
    // Numbers of one parent, one after the other: no item between two of them is left out.
    const numbers = edges.map((edge) => Number(positionIn(edge.cursor)));
    const steps = new Set(numbers.slice(1).map((one, index) => Math.abs(one - (numbers[index] ?? 0))));
    return [...steps].every((step) => step === 1) ? null : `${numbers.join()} has gaps`;
  }
  const wanted = NAMED.includes(kind) ? node[kind]?.id : node[kind];
  return position === wanted ? null : `${String(position)} is not ${wanted}`;
}

const STEPS = 4;

/** Pages of one item are the same items, and their cursors those of the item. Sealed ones differ in nothing else. */
async function pageBy(api: Principal["api"], list: List, id: string, whole: Asked): Promise<string | null> {
  let after: string | null = null;
  for (const [index, edge] of whole.edges.slice(0, STEPS).entries()) {
    const page = await ask(api, list, id, "first: $first, after: $after", { first: 1, after });
    const { edges, pageInfo } = page ?? { edges: [], pageInfo: {} };
    if (JSON.stringify(edges[0]?.node) !== JSON.stringify(edge.node))
      return `item ${index} is ${JSON.stringify(edges)}`;
    const ends = [pageInfo.startCursor, pageInfo.endCursor, edges[0]?.cursor];
    if (ends.some((end) => end !== edge.cursor)) return `item ${index} has other cursors in its page`;
    const isLast = index === whole.edges.length - 1 && !whole.pageInfo.hasNextPage;
    if (pageInfo.hasNextPage === isLast) return `item ${index} has a next page: ${pageInfo.hasNextPage}`;
    after = edge.cursor;
  }
  return null;
}
