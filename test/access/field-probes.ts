/** Each field of each object for each principal, compared with what an administrator sees and the oracle leaves of it. */
import { isDeepStrictEqual } from "node:util";
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { type Permission, PERMISSIONS } from "../../src/model/people/permission-set.ts";
import type { Api, Data } from "../support/api.ts";
import { TYPES } from "./field-oracle.ts";
import { has, type Principal } from "./principals.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";
import type { World, WorldPlace } from "./world.ts";

const NOWHERE: WorldPlace = { organizationId: null, projectId: null, workspaceId: null, isIsolated: false };

/** The types of the query `nodes`, by the prefixes of their ids. */
export const NODES: Readonly<Record<string, string>> = {
  org: "Organization",
  prj: "Project",
  team: "Team",
  role: "Role",
  grant: "Grant",
  inv: "Invitation",
  trust: "TrustRule",
  ws: "Workspace",
  run: "Run",
  cs: "Changeset",
  sch: "Schedule",
  drift: "DriftReport",
  inh: "InboundHook",
  pipe: "PromotionPipeline",
  pset: "PolicySet",
  pver: "PolicySetVersion",
  peval: "PolicyEvaluation",
  pres: "PolicyResult",
  pexc: "PolicyException",
  psim: "PolicySimulation",
  chk: "ExternalCheck",
  chkr: "ExternalCheckResult",
  plan: "Plan",
  phase: "Phase",
  appr: "Approval",
  cmt: "RunComment",
  sv: "StateVersion",
  rcv: "RecoveredState",
  rnr: "Runner",
  pool: "RunnerPool",
  rtok: "RunnerToken",
  ghost: "GitHost",
  repo: "Repository",
  refc: "RefChange",
  hook: "Webhook",
  dlv: "WebhookDelivery",
  bulk: "BulkOperation",
  tok: "Token",
};

/** Something that is asked of everyone. `place`: where fields without an object of their own belong. */
interface Question {
  name: string;
  query: string;
  variables: Record<string, unknown>;
}

/** A selection of all fields of a type but those about the caller. */
function selectionOf(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string {
  if (isAbstractType(type)) {
    return schema
      .getPossibleTypes(type)
      .map((one) => `... on ${one.name} { __typename ${"id" in one.getFields() ? "id" : partsOfMember(schema, one)} }`)
      .join(" ");
  }
  if (!isObjectType(type)) return "";
  return Object.values(type.getFields())
    .flatMap((field) => selected(schema, type.name, field, depth) ?? [])
    .join(" ");
}

/** The fields of a member of a union. Those of another member may have the same name and another type. */
function partsOfMember(schema: GraphQLSchema, member: GraphQLObjectType): string {
  return Object.values(member.getFields())
    .flatMap((field) => {
      const part = selected(schema, member.name, field, 0);
      return part === null ? [] : [`${field.name}__${member.name}: ${part}`];
    })
    .join(" ");
}

/** The name of a field whose name in the answer may be that of its type as well. */
const fieldOf = (name: string): string => name.replace(/(?<=\w)__\w+$/, "");

const isPage = ({ name }: GraphQLNamedType): boolean => /(?:Connection|Edge)$/.test(name);
/** Objects without an id, and the fields without which they are not shown. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  RunnerJob: ["run"],
  BulkResult: ["run"],
  WorkspaceDependency: ["upstream", "downstream"],
  RunUpstreamInput: ["stateVersion"],
};
/** Fields about the caller that have a rule. */
const COMPUTED = new Set(["viewerPermissions"]);

function selected(
  schema: GraphQLSchema,
  owner: string,
  field: GraphQLField<unknown, unknown>,
  depth: number,
): string | null {
  const { name, args } = field;
  if (name === "pageInfo" || name === "cursor" || args.some(isRequiredArgument)) return null;
  if (TYPES[owner]?.fields[name] === "OWN" && !COMPUTED.has(name)) return null;
  const type = getNamedType(field.type);
  const head = `${name}${args.some((argument) => argument.name === "first") ? "(first: 50)" : ""}`;
  if (isLeafType(type)) return head;
  if (depth === 0) {
    const hasId = isObjectType(type) && "id" in type.getFields();
    // The workspaces of an organization are at different places: their number is compared beside the edges.
    if (type.name === "WorkspaceConnection") return null;
    if (isPage(type))
      return isObjectType(type) && "totalCount" in type.getFields() ? `${head} { __typename totalCount }` : null;
    // They are left out with these.
    const ends = ENDS[type.name];
    if (ends !== undefined) return `${head} { __typename ${ends.map((end) => `${end} { __typename id }`).join(" ")} }`;
    return `${head} { __typename ${isAbstractType(type) ? selectionOf(schema, type, 0) : hasId ? "id" : ""} }`;
  }
  return `${head} { __typename ${selectionOf(schema, type, depth - (isPage(type) ? 0 : 1))} }`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stands for what is not shown. */
const HIDDEN = Symbol("hidden");

function emptyOf(value: Data): unknown {
  if (Array.isArray(value)) return [];
  const isConnection = String(value?.__typename).endsWith("Connection");
  if (!isConnection) return null;
  return {
    ...value,
    ...("edges" in value && { edges: [] }),
    ...(typeof value.totalCount === "number" && { totalCount: 0 }),
  };
}

/** What the oracle leaves of an administrator's answer. */
function shownOf(value: Data, principal: Principal, world: World, place: WorldPlace): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => shownOf(one, principal, world, place)).filter((one) => one !== HIDDEN);
  }
  if (typeof value !== "object" || value === null) return value;
  const type = String(value.__typename);
  const line = TYPES[type];
  const known = world.places.get(value.id);
  // Runners that all organizations share are listed by each, and belong to the installation elsewhere.
  const isShared = type === "Runner" && known?.organizationId === null && place.workspaceId === null;
  // The decision about a workspace is seen where the workspace is.
  const decided = type === "TriggerDecision" ? world.places.get(value.workspace?.id) : undefined;
  const own = decided ?? (known === undefined || isShared ? place : known);
  if (line !== undefined && line.sight !== "SHOWN" && !has(principal, line.sight, own)) return HIDDEN;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    const rule = line?.fields[fieldOf(name)] ?? "SAME";
    if (name === "viewerPermissions") return [name, PERMISSIONS.filter((one) => has(principal, one, own))];
    if (rule !== "SAME" && rule !== "OWN" && !has(principal, rule, own)) return [name, emptyOf(part)];
    // Those of shared runners are shown on the installation.
    const isFree = type === "Runner" && name === "jobs" && isShared;
    if (isFree && !has(principal, "RUNNER_READ", NOWHERE)) return [name, []];
    const shown = shownOf(part, principal, world, own);
    return [name, shown === HIDDEN ? null : shown];
  });
  const shown: Data = { ...Object.fromEntries(entries), ...(type === "Blocker" && blockerOf(value, principal, own)) };
  if (type === "WorkspaceSelector") Object.assign(shown, selectorOf(value, principal, world));
  if (type.endsWith("Edge") && shown.node === null) return HIDDEN;
  if (ENDS[type]?.some((end) => shown[end] === null) === true) return HIDDEN;
  if (type.endsWith("Connection") && typeof shown.totalCount === "number" && "edges" in shown)
    shown.totalCount = shown.edges.length;
  return shown;
}

/** The workspaces of a selector that the caller may read: their ids are no objects. */
function selectorOf(value: Data, principal: Principal, world: World): Data {
  const readable = (id: string): boolean => has(principal, "WORKSPACE_READ", world.places.get(id) ?? NOWHERE);
  const lists = ["workspaceIds", "excludedWorkspaceIds"].filter((name) => name in value);
  return Object.fromEntries(lists.map((name) => [name, value[name].filter(readable)]));
}

/** What a blocker says without what is about the whole organization: figures of its runs, and its runners. */
export function blockerOf({ kind, message }: Data, principal: Principal, place: WorldPlace): Data {
  const ofOrganization = { ...NOWHERE, organizationId: place.organizationId };
  const lacks = (permission: Permission) => !has(principal, permission, ofOrganization);
  const limit = "The organization has reached its limit of concurrent runs. Wait, or raise `concurrencyLimit`.";
  // Others are about the workspace.
  if (kind !== "ORGANIZATION_LIMIT" && !/^(?:All runners|No runner)/.test(message ?? "")) return {};
  const supply = message.startsWith("All runners")
    ? "All runners are busy. Wait, or start another one."
    : "No runner is available. Start one.";
  const isLimit = kind === "ORGANIZATION_LIMIT";
  return {
    ...(lacks("FIGURES_READ") && { position: null, estimatedStartAt: null, ...(isLimit && { message: limit }) }),
    ...(lacks("RUNNER_READ") && !isLimit && { message: supply }),
  };
}

/** The first place where two answers differ. */
function differenceOf(wanted: Data, got: Data, path = ""): string | null {
  if (isDeepStrictEqual(wanted, got)) return null;
  const isObject = (value: Data) => typeof value === "object" && value !== null;
  if (isObject(wanted) && isObject(got) && Array.isArray(wanted) === Array.isArray(got)) {
    if (!Array.isArray(wanted) || wanted.length === got.length) {
      for (const name of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
        const found = differenceOf(wanted[name], got[name], `${path}.${name}`);
        if (found !== null) return found;
      }
    }
  }
  const short = (value: Data) => (JSON.stringify(value) ?? "nothing").slice(0, 200);
  return `${path} is ${short(got)} instead of ${short(wanted)}`;
}

/** All questions. Fields with arguments that must be given are asked of each workspace. */
function questionsOf(schema: GraphQLSchema, world: World, at: Date): Question[] {
  const [since, now] = [new Date(at.getTime() - DAY_MS).toISOString(), new Date(at.getTime() + DAY_MS).toISOString()];
  const questions: Question[] = [];
  const idsBy = Map.groupBy(world.places.keys(), (id) => id.slice(0, id.lastIndexOf("_")));
  const typeNamed = (name: string): GraphQLNamedType => {
    const type = schema.getType(name);
    if (type === undefined) throw new Error(`There is no type ${name}.`);
    return type;
  };
  const node = typeNamed("Node");
  const nodes = isAbstractType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  for (const [prefix, name] of Object.entries(NODES)) {
    if (!nodes.includes(name)) continue;
    const ids = idsBy.get(prefix) ?? [];
    // A part of the fields at a time, so that no document is too large.
    const type = typeNamed(name);
    if (!isObjectType(type)) throw new Error(`${name} is no object type.`);
    const fields = Object.values(type.getFields()).flatMap((field) => selected(schema, name, field, 1) ?? []);
    for (const part of partsOf(fields, 1500)) {
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on ${name} { id ${part} } } }`;
      // A request looks into few states and lists the changes of few plans.
      const size = /\b(?:resources|index)\b/.test(part) ? 1 : 100;
      for (let from = 0; from < ids.length; from += size) {
        questions.push({ name: `nodes of type ${name}`, query, variables: { ids: ids.slice(from, from + size) } });
      }
    }
  }
  const shallow = (name: string) => `__typename ${selectionOf(schema, typeNamed(name), 0)}`;
  const edges = (name: string) => `{ ${shallowPage(typeNamed(`${name}Connection`))}
    edges { __typename node { ${shallow(name)} } } }`;
  questions.push({
    name: "lists",
    query: `{ __typename runs(first: 100) ${edges("Run")} organizations(first: 50) ${edges("Organization")}
      actors(first: 100) ${edges("OrganizationMember")} sessions(first: 50) ${edges("Session")}
      tokens(first: 100) ${edges("Token")} }`,
    variables: {},
  });
  for (const { id, slug } of world.organizations) {
    questions.push({
      name: `the organization ${slug}`,
      query: `query ($slug: String!, $id: ID!) { organization(slug: $slug) { ${shallow("Organization")}
        workspaces(first: 50) ${edges("Workspace")} named: workspaces(first: 50, search: "w-") ${edges("Workspace")} }
        runs(first: 100, filter: { organizationId: $id }) ${edges("Run")} }`,
      variables: { slug, id },
    });
  }
  for (const { id, name, slug, stateIds } of world.workspaces) {
    questions.push({
      name: `the workspace ${name}`,
      query: `query ($id: ID!, $slug: String!, $name: String!, $from: ID!, $to: ID!, $since: DateTime!, $now: DateTime!) {
        byId: workspace(by: { id: $id }) { ${shallow("Workspace")} run(number: 1) { ${shallow("Run")} }
          statistics(from: $since, to: $now) { __typename ${selectionOf(schema, typeNamed("WorkspaceStatistics"), 1)} }
          healthHistory(probe: "web", from: $since, to: $now) { __typename ${selectionOf(schema, typeNamed("HealthBucket"), 1)} }
          stateComparison(from: $from, to: $to) { __typename ${selectionOf(schema, typeNamed("StateComparison"), 1)} } }
        byPath: workspace(by: { path: { organization: $slug, name: $name } }) { ${shallow("Workspace")} }
        runs(first: 100, filter: { workspaceId: $id }) ${edges("Run")} }`,
      variables: { id, slug, name, from: stateIds[0], to: stateIds[1], since, now },
    });
  }
  return questions;
}

/** The fields of a page beside its edges. */
function shallowPage(type: GraphQLNamedType): string {
  return isObjectType(type) && "totalCount" in type.getFields() ? "__typename totalCount" : "__typename";
}

function partsOf(fields: readonly string[], size: number): string[] {
  const parts: string[] = [];
  for (const field of fields) {
    const last = parts.at(-1);
    if (last === undefined || last.length + field.length > size) parts.push(field);
    else parts[parts.length - 1] = `${last} ${field}`;
  }
  return parts;
}

export interface FieldProbes {
  probes: Probe[];
  /** The types of the objects that an administrator sees. */
  types: ReadonlySet<string>;
}

export async function fieldProbes(
  schema: GraphQLSchema,
  { scene }: WalkScene,
  world: World,
  principals: readonly Principal[],
): Promise<FieldProbes> {
  const types = new Set<string>();
  const note = (value: Data): void => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.__typename === "string") types.add(value.__typename);
    for (const part of Object.values(value)) note(part);
  };
  const probes: Probe[] = [];
  for (const { name, query, variables } of questionsOf(schema, world, scene.server.deps.clock())) {
    const whole = await scene.api.ask(query, variables).catch((error: unknown) => {
      throw new Error(`${name}: ${query}`, { cause: error });
    });
    note(whole);
    for (const principal of principals) {
      probes.push({
        name: `${principal.name}: ${name}`,
        async run() {
          const { data, errors } = await principal.api.send(query, variables);
          if (errors !== undefined) return JSON.stringify(errors).slice(0, 300);
          const shown = shownOf(whole, principal, world, NOWHERE);
          // The query nodes has an entry for each id.
          const wanted: Data = "nodes" in whole ? { nodes: nodesOf(whole.nodes, principal, world) } : shown;
          return differenceOf(wanted, data);
        },
      });
    }
  }
  return { probes, types };
}

function nodesOf(nodes: readonly Data[], principal: Principal, world: World): unknown[] {
  return nodes.map((node) => {
    const shown = shownOf(node, principal, world, NOWHERE);
    return shown === HIDDEN ? null : shown;
  });
}

/** People and machine users by their ids: for those who may read people where they are members, and for themselves. */
export function peopleProbes(world: World, principals: readonly Principal[]): Probe[] {
  const ids = [...new Set([...world.members.values()].flatMap((members) => [...members]))].filter((id) =>
    /^(?:usr|mch)_/.test(id),
  );
  const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }";
  const reads: Permission = "MEMBER_READ";
  return principals.map((principal) => ({
    name: `${principal.name}: people`,
    async run() {
      const found: Data[] = [];
      for (let at = 0; at < ids.length; at += 100)
        found.push(...(await askNodes(principal.api, query, ids.slice(at, at + 100))));
      const wanted = ids.map((id) => {
        const isShown = [...world.members].some(([organizationId, members]) => {
          return members.has(id) && has(principal, reads, { ...NOWHERE, organizationId });
        });
        return isShown || id === principal.actorId ? id : null;
      });
      return differenceOf(
        wanted,
        found.map((node) => node?.id ?? null),
      );
    },
  }));
}

async function askNodes(api: Api, query: string, ids: readonly string[]): Promise<Data[]> {
  return (await api.ask(query, { ids })).nodes;
}
