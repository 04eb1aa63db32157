/** Each field of the API shows what the oracle allows, to callers of all kinds: no more, and no less. */
import { getNamedType, type GraphQLObjectType, type GraphQLOutputType, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";
import { SHOWING, TYPES } from "./field-oracle.ts";
import { type FieldProbes, fieldProbes, peopleProbes } from "./field-probes.ts";
import { addParts } from "./parts-world.ts";
import { createPrincipals, type Principal } from "./principals.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";
import { createWorld, readPlaces, type World } from "./world.ts";

let walk: WalkScene;
let world: World;
let principals: Principal[];
let fields: FieldProbes;
beforeAll(async () => {
  walk = await openWalkScene();
  world = await createWorld(walk);
  const workspaces = await addParts(walk, world);
  principals = await createPrincipals(walk, world, SHOWING);
  // Their grants and tokens are part of the world.
  world = { ...world, workspaces, ...(await readPlaces(walk)) };
  fields = await fieldProbes(schema, walk, world, principals);
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

/** What the field of a page or a list gives. */
function objectsOf({ type }: { type: GraphQLOutputType }): GraphQLObjectType[] {
  const named = getNamedType(type);
  if (!isObjectType(named)) return [];
  const node = schema.getType(named.name.replace(/Connection$/, ""));
  return isObjectType(node) && node !== named ? [named, node] : [named];
}

/** Declared by what they are a part of. */
const ABOVE = new Set(["StateAttributeChange", "StateOutputChange"]);

const OF_STREAMS =
  "It is an item of streams, which execute the fields that queries do: streams.test.ts opens each stream.";
const OF_CALLER = "It is read by the caller's own id alone, which no argument names.";
const OF_SET = "It is a part of a policy set or its version, which are asked about.";
const OF_TRIAL = "It is a part of the answer about a document, or a probe, that the caller sent.";
const COMPARED = "parts.test.ts compares it part by part, as each caller sees another part of it.";
const ACTIONS = "actions.test.ts compares it with what the commands take.";

/** Types of which no object is asked here, each with the reason. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  AccessExplanation: COMPARED,
  RejectedCommand: COMPARED,
  RunActionAvailability: ACTIONS,
  WorkspaceActionAvailability: ACTIONS,
  Promotion: "It is seen by rights in the whole organization, and not at the place of its changeset: promote.test.ts.",
  Passkey: OF_CALLER,
  RateLimit: OF_CALLER,
  Viewer: OF_CALLER,
  ChangesetChanged: OF_STREAMS,
  ChangesetSnapshot: OF_STREAMS,
  CheckChanged: OF_STREAMS,
  CursorExpired: OF_STREAMS,
  LogBatch: OF_STREAMS,
  InboxChanged: OF_STREAMS,
  PolicyEvaluated: OF_STREAMS,
  RunSnapshot: OF_STREAMS,
  StreamCheckpoint: OF_STREAMS,
  Subscription: OF_STREAMS,
  VerificationChanged: OF_STREAMS,
  WorkspaceChanged: OF_STREAMS,
  HealthChanged: OF_STREAMS,
  WorkspaceSnapshot: OF_STREAMS,
  DemandedApprovers: OF_SET,
  ExpectedPolicyFailure: OF_SET,
  PolicyFixture: OF_SET,
  PolicyTest: OF_SET,
  PolicyFinding: OF_TRIAL,
  PolicyTrial: OF_TRIAL,
  FailedResource: "It is a part of a failure, which is asked about.",
  FailureEntry: "The catalogue of failures is the same for all callers, and shows no object.",
  PolicyDenial: "It is a part of an error: policy-probes.ts asks who sees its policy set.",
  RollbackGuard: "It is a part of the settings of a workspace, which are asked about.",
  UnjudgedPolicy: OF_TRIAL,
  TestedProbeTarget: OF_TRIAL,
  PolicyTraceLine: OF_TRIAL,
  Diagnostic: "It is a part of a plan or a run, and a reader of these sees it: diagnostics.test.ts.",
  OrganizationActivity: "It counts runs that the caller may read: scoped-callers.test.ts asks who sees what.",
  Server: "All callers see the same: server-facts.test.ts.",
  SearchHit: "It has an object that the caller may read: scoped-callers.test.ts asks who finds what.",
  InboxItem: "It is a view of the caller on a run: inbox.test.ts asks who sees it.",
  LogMatch:
    "It is a line of a log that was searched for: log-lines.test.ts searches, and lookups.test.ts asks who may.",
  TextSpan: "It is a part of a line of a log that was searched for.",
  LogSpan: "It is a part of a line of a log, which is asked about.",
  PlanComparison: "It has changes of plans, which are asked about.",
  CheckLabel: "It is a part of an outcome of a check, which is asked about.",
  SimulatedFinding: "It is a part of a plan of a simulation: policy-simulation.test.ts asks who sees it.",
  PolicySimulationResult: "It is a plan of a simulation: policy-simulation.test.ts asks who sees it.",
  PolicyEvaluationCounts: "It counts runs that the caller may read: version-evaluations.test.ts asks who sees them.",
  PolicyProblem: "It is a part of the errors of commands, and names the source that was sent.",
  InputIssue: "It is a part of the errors of commands, and names fields of their input.",
  PageInfo: "cursors.test.ts compares the pages and the cursors of all lists.",
};

describe("the oracle", () => {
  const ANSWERS = /(?:Success|Connection|Edge|Error)$|^Mutation$|^__/;
  const objects = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !ANSWERS.test(name));

  it("has a line for each type, with each of its fields", () => {
    const has = Object.fromEntries(
      Object.entries(TYPES).map(([name, line]) => [name, Object.keys(line.fields).filter(Boolean).toSorted()]),
    );
    expect(has).toEqual(
      Object.fromEntries(objects.map((type) => [type.name, Object.keys(type.getFields()).toSorted()])),
    );
  });

  it("says of each type and field what its declaration says", () => {
    const declared = ({ extensions }: { extensions: object }): readonly string[] =>
      "permissions" in extensions && Array.isArray(extensions.permissions) ? extensions.permissions : [];
    const missing: string[] = [];
    for (const type of objects) {
      const line = TYPES[type.name];
      if (line === undefined) continue;
      if (line.sight !== "SHOWN" && !declared(type).includes(line.sight)) missing.push(`${type.name}: ${line.sight}`);
      for (const field of Object.values(type.getFields())) {
        const rule = line.fields[field.name] ?? "SAME";
        if (rule === "SAME" || rule === "OWN") continue;
        const named = [field, type, ...objectsOf(field)].flatMap(declared);
        if (!named.includes(rule) && !ABOVE.has(type.name)) missing.push(`${type.name}.${field.name}: ${rule}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("is asked about each type", () => {
    const missing = objects.map(({ name }) => name).filter((name) => !fields.types.has(name));
    expect(missing.toSorted()).toEqual(Object.keys(NOT_ASKED).toSorted());
  });
});

it("shows each caller what the oracle allows", async () => {
  const failures: string[] = [];
  for (const { name, run } of [...fields.probes, ...peopleProbes(world, principals)]) {
    const difference = await run().catch((error: unknown) => String(error));
    if (difference !== null) failures.push(`${name}: ${difference}`);
  }
  expect(failures.slice(0, 60), `${failures.length} of ${fields.probes.length}`).toEqual([]);
}, 900_000);
