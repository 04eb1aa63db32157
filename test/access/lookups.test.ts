/**
 * Whatever names an object by an id, a name or a path: something hidden is answered like something that does not exist,
 * after the same statements. The schema says which arguments there are.
 */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  isInputObjectType,
  isListType,
  isObjectType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";
import { mutations } from "../domain/operations.ts";
import type { Data } from "../support/api.ts";
import { addPool } from "../support/fleet.ts";
import { kindsOf } from "../support/statement-log.ts";
import { packed } from "../support/tar.ts";
import { AROUND, BESIDE, KINDS_OF, LOOKUPS, type Lookup, OF_PEOPLE, REFUSED } from "./lookup-oracle.ts";
import { TYPES } from "./field-oracle.ts";
import { NODES } from "./field-probes.ts";
import { createPrincipals, DIFFERING, has, type Principal } from "./principals.ts";
import { absentOf, openWalkScene, type WalkScene, withoutIds } from "./walk-scene.ts";
import { createWorld, readPlaces, type World, type WorldWorkspace } from "./world.ts";

let walk: WalkScene;
let world: World;
let principals: Principal[];
/** Objects that nobody but an administrator of the installation sees, by the prefix of their ids. */
let own: Record<string, string>;
/** The grants of each actor and of its teams, or of the workspace whose runs act as it. */
let grantsOf: ReadonlyMap<string, { id: string }[]>;
let examples: Record<string, () => Promise<object>>;
beforeAll(async () => {
  walk = await openWalkScene();
  const { scene } = walk;
  world = await createWorld(walk);
  principals = await createPrincipals(walk, world, [], DIFFERING);
  examples = {
    ...mutations(scene, walk.organizationId, await addPool(scene.server, "walked")),
    createToken: async () => ({ ownerId: await walk.createAccount(), name: "ci" }),
    revokeToken: ofAccount,
    rotateToken: ofAccount,
    updateToken: ofAccount,
  };
  world = { ...world, ...(await readPlaces(walk)) };
  const grants = await scene.rows(
    `select id, principal_id from access_grant where revoked_at is null
     union select g.id, m.actor_id from access_grant g join team_member m on m.team_id = g.principal_id
       where g.revoked_at is null
     union select g.id, a.id from access_grant g join actor a on a.workspace_id = g.principal_id
       where g.revoked_at is null`,
  );
  grantsOf = Map.groupBy(
    grants.map((row) => ({ id: String(row["id"]), actorId: String(row["principal_id"]) })),
    ({ actorId }) => actorId,
  );
  const example = async (name: string): Promise<Data> => examples[name]?.();
  const person = await scene.login("READER");
  own = {
    usr: person.actorId,
    tok: person.tokenId,
    sess: (await example("revokeSession")).sessionId,
    pky: (await example("deletePasskey")).passkeyId,
    bulk: (await example("stopBulkOperation")).operationId,
    upl: await upload(),
  };
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

async function ofAccount(): Promise<{ tokenId: string }> {
  const input = { ownerId: await walk.createAccount(), name: "ci" };
  return { tokenId: (await walk.make("createToken", input, "token { id }")).token.id };
}

async function upload(): Promise<string> {
  const { scene } = walk;
  const sent = await fetch(`${scene.server.url}/sources`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/gzip" },
    body: new Uint8Array(await packed([{ name: "main.tf", body: "" }])),
  });
  const { uploadId: id } = (await sent.json()) as { uploadId: string };
  return id;
}

/** Ids of a kind that are hidden to a principal: one of each place of the world. */
function hiddenIds(principal: Principal, kinds: readonly string[]): string[] {
  const wanted = (id: string): boolean => kinds.length === 0 || kinds.includes(prefixOf(id));
  const found = new Map<string, string>();
  for (const [id, place] of world.places) {
    const sight = TYPES[NODES[prefixOf(id)] ?? ""]?.sight;
    if (!wanted(id) || sight === undefined || sight === "SHOWN" || has(principal, sight, place)) continue;
    found.set([prefixOf(id), place.organizationId, place.projectId].join(), id);
  }
  for (const [organizationId, members] of world.members) {
    if (has(principal, "MEMBER_READ", { organizationId, projectId: null, workspaceId: null, isIsolated: false }))
      continue;
    for (const id of members)
      if (wanted(id) && id !== principal.actorId && !isGrantedIn(principal, id))
        found.set(`${prefixOf(id)} ${organizationId}`, id);
  }
  for (const id of Object.values(own)) if (wanted(id) && !sees(principal, id)) found.set(id, id);
  return [...found.values()];
}
/** Whether a principal reads one of the grants of an actor. */
const isGrantedIn = (principal: Principal, actorId: string): boolean =>
  (grantsOf.get(actorId) ?? []).some(({ id }) => {
    const place = world.places.get(id);
    return place !== undefined && has(principal, "MEMBER_READ", place);
  });
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("_"));
const INSTALLATION_PLACE = { organizationId: null, projectId: null, workspaceId: null, isIsolated: false };
/** What belongs to the installation is seen by those who read people, or stop the operations of others, there. */
const sees = (principal: Principal, id: string): boolean =>
  has(principal, "MEMBER_READ", INSTALLATION_PLACE) ||
  has(principal, "MEMBER_WRITE", INSTALLATION_PLACE) ||
  has(principal, "BULK_OTHERS", INSTALLATION_PLACE) ||
  id === principal.actorId;

const ABSENT = "absent";

type Names = Record<string, unknown>;

/** Pairs of a hidden name and one that does not exist. */
function namesOf(principal: Principal, kinds: Lookup["kinds"]): [Names, Names][] {
  if (kinds === "IDS") {
    // There is one absent id of each kind.
    const ids = [...new Map(hiddenIds(principal, []).map((id) => [prefixOf(id), id])).values()];
    return [[{ values: ids }, { values: ids.map(absentOf) }]];
  }
  if (typeof kinds !== "string")
    return hiddenIds(principal, kinds).map((id) => [{ value: id }, { value: absentOf(id) }]);
  const workspaces = world.workspaces.filter((one) => !has(principal, "WORKSPACE_READ", placeOf(one)));
  const organizations = world.organizations.filter(
    ({ id }) => !has(principal, "ORGANIZATION_READ", { ...INSTALLATION_PLACE, organizationId: id }),
  );
  if (kinds === "SLUG") return organizations.map(({ slug }) => [{ value: slug }, { value: ABSENT }]);
  if (kinds === "NAME") return workspaces.map(({ name }) => [{ value: name }, { value: ABSENT }]);
  return [
    ...workspaces.map(({ slug, name }): [Names, Names] => [
      { value: slug, name },
      { value: ABSENT, name: ABSENT },
    ]),
    ...organizations.map(({ slug }): [Names, Names] => [
      { value: slug, name: ABSENT },
      { value: ABSENT, name: ABSENT },
    ]),
  ];
}

function placeOf({ id }: { id: string }) {
  const place = world.places.get(id);
  if (place === undefined) throw new Error(`${id} has no place.`);
  return place;
}

/** After others have changed rights: it would be a statement of what is compared. */
const compileRights = ({ api }: Principal) => api.send("{ viewer { role } }");

/** The answer and the statements of a request. */
async function observe(work: () => Promise<unknown>, names: object): Promise<{ answer: string; trace: string[] }> {
  let answer: unknown;
  const trace = await walk.traceOf(async () => {
    answer = await work();
  });
  let text = withoutIds(JSON.stringify(answer));
  for (const name of Object.values(names)) text = text.replaceAll(String(name), "NAME");
  // Reads of one request are concurrent.
  return { answer: text, trace: trace.toSorted() };
}

/** The arguments of fields that are ids or texts, as `Type.field(argument).path`. */
function argumentsOfFields(): string[] {
  const found: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name === "Mutation" || type.name === "Subscription" || type.name.startsWith("__"))
      continue;
    for (const field of Object.values(type.getFields())) {
      for (const { name, type: of } of field.args) {
        // Cursors have tests of their own.
        if (["after", "before"].includes(name)) continue;
        found.push(...namesIn(of, `${type.name}.${field.name}(${name})`).map(({ path }) => path));
      }
    }
  }
  return found;
}

interface Named {
  path: string;
  type: GraphQLNamedType;
}

function namesIn(type: GraphQLInputType, path: string): Named[] {
  const named = getNamedType(type);
  if (named.name === "ID" || named.name === "String") return [{ path, type: named }];
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((field) => namesIn(field.type, `${path}.${field.name}`));
}

describe("an argument of a query", () => {
  it("has a line in the oracle", () => {
    expect(Object.keys(LOOKUPS).toSorted()).toEqual(argumentsOfFields().toSorted());
  });

  it("that names something hidden is answered like one that names nothing, after the same statements", async () => {
    const failures: string[] = [];
    let asked = 0;
    const workspaces: WorldWorkspace[] = world.workspaces;
    for (const principal of principals) {
      const { api, name } = principal;
      await compileRights(principal);
      const shown = workspaces.find((one) => has(principal, "WORKSPACE_READ", placeOf(one)));
      const changesetId = world.places.keys().find((id) => {
        return prefixOf(id) === "cs" && has(principal, "RUN_READ", placeOf({ id }));
      });
      for (const [argument, { kinds, documents }] of Object.entries(LOOKUPS)) {
        for (const document of documents) {
          if (/\$(?:workspace|organization)Id/.test(document) && shown === undefined) continue;
          if (document.includes("$changesetId") && changesetId === undefined) continue;
          const { id: workspaceId, stateIds: [stateId] = [], organizationId } = shown ?? {};
          const more = { workspaceId, stateId, organizationId, changesetId };
          const ask = (names: Names) => observe(() => api.send(document, { ...more, ...names }), names);
          for (const [hidden, absent] of namesOf(principal, kinds)) {
            const [one, two] = [await ask(hidden), await ask(absent)];
            asked += 1;
            const title = `${name}: ${argument} ${JSON.stringify(hidden)}`;
            if (one.answer !== two.answer) failures.push(`${title}: ${one.answer} is not ${two.answer}`);
            if (one.trace.join() !== two.trace.join()) failures.push(`${title}: ${differenceOf(one.trace, two.trace)}`);
          }
        }
      }
    }
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(300);
  }, 300_000);
});

function administrator(): Principal {
  const found = principals.find(({ name }) => name === "ADMIN of the organization");
  if (found === undefined) throw new Error("There is no administrator of the organization.");
  return found;
}

/** The arguments of a mutation that are ids. */
function idsIn(mutation: string): string[][] {
  const [input] = schema.getMutationType()?.getFields()[mutation]?.args ?? [];
  if (input === undefined) throw new Error(`${mutation} has no input.`);
  return namesIn(input.type, mutation)
    .filter(({ type }) => type.name === "ID")
    .map(({ path }) => path.split(".").slice(1));
}

/** An input in which a value is at a path of field names. */
function withValue(type: GraphQLInputType, input: Data, path: readonly string[], value: string): Data {
  const [name = "", ...rest] = path;
  const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
  if (field === undefined || !isInputObjectType(type)) throw new Error(`There is no field ${name}.`);
  const inner = getNullableType(field.type);
  const isList = isListType(inner);
  const of = getNullableType(isList ? inner.ofType : inner);
  const before = input[name] ?? AROUND[name] ?? (isList ? [{}] : {});
  const [around = {}] = isList ? before : [before];
  const set = rest.length === 0 ? value : withValue(of as GraphQLInputType, around, rest, value);
  const whole = isList ? [set] : set;
  return type.isOneOf ? { [name]: whole } : { ...input, [name]: whole };
}

describe("an argument of a command", () => {
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {});

  it("is of a kind that the oracle knows", () => {
    const unknown = names.flatMap(idsIn).filter((path) => !((path.at(-1) ?? "") in KINDS_OF));
    expect(unknown).toEqual([]);
  });

  it("is tried in examples that succeed", async () => {
    const refused: Record<string, string> = {};
    for (const name of names) {
      const { code } = await walk.send(administrator().api, name, { ...(await examples[name]?.()) });
      if (code !== undefined) refused[name] = code;
    }
    expect(refused).toEqual(REFUSED);
  }, 60_000);

  it("that names something hidden is answered like one that names nothing, after the same statements", async () => {
    const principal = administrator();
    const failures: string[] = [];
    let asked = 0;
    for (const name of names) {
      const [argument] = schema.getMutationType()?.getFields()[name]?.args ?? [];
      const type = getNamedType(argument?.type);
      for (const path of idsIn(name)) {
        const field = path.at(-1) ?? "";
        // Nothing is changed by a command that is refused: one example is enough.
        const more = BESIDE[`${name}.${path.join(".")}`] ?? {};
        const base = { ...(await examples[name]?.()), ...more };
        await compileRights(principal);
        for (const id of hiddenIds(principal, KINDS_OF[field] ?? [])) {
          if (prefixOf(id) === "usr" && OF_PEOPLE.includes(`${name}.${path.join(".")}`)) continue;
          const ask = async (value: string) => {
            const input = withValue(type as GraphQLInputType, base, path, value);
            return observe(() => walk.send(principal.api, name, input), {});
          };
          const [one, two] = [await ask(id), await ask(absentOf(id))];
          asked += 1;
          const title = `${name}.${path.join(".")} ${id}`;
          if (one.answer !== two.answer) failures.push(`${title}: ${one.answer} is not ${two.answer}`);
          if (one.trace.join() !== two.trace.join()) failures.push(`${title}: ${differenceOf(one.trace, two.trace)}`);
        }
      }
    }
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  }, 300_000);

  it("that is the slug of a hidden organization is answered like one that no organization has", async () => {
    const [shown, , other] = world.workspaces;
    for (const principal of principals) {
      for (const { id, slug } of world.organizations) {
        if (has(principal, "ORGANIZATION_READ", { ...INSTALLATION_PLACE, organizationId: id })) continue;
        for (const projectId of [undefined, shown?.projectId, other?.projectId, absentOf("prj_")]) {
          const ask = async (organization: string) => {
            const input = { ...(await examples["createWorkspace"]?.()), organization, projectId };
            await compileRights(principal);
            return observe(() => walk.send(principal.api, "createWorkspace", input), { organization });
          };
          expect(await ask(slug), `${principal.name}: ${slug} ${projectId}`).toEqual(await ask(ABSENT));
        }
      }
    }
  }, 60_000);
});

function differenceOf(one: string[], other: string[]): string {
  const kinds = (texts: string[]) => texts.flatMap(kindsOf).join(", ");
  return `${kinds(one)} is not ${kinds(other)}`;
}
