/**
 * How many statements each operation sends, and which: one more shows in a difference of statement-counts.txt, and one a
 * row more with the number of rows. After a change that is meant:
 * `npx vitest run test/domain/statement-counts.test.ts -u`.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { buildSchema, type GraphQLObjectType, isObjectType } from "graphql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { createTestDatabase } from "../support/database.ts";
import { addPool } from "../support/fleet.ts";
import { everyFieldOf } from "../support/selection.ts";
import { createStatementLog, kindsOf } from "../support/statement-log.ts";
import { type Example, mutations, queries, runnerRequests, subscriptions } from "./operations.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene } from "./scene.ts";

const log = createStatementLog();
/** From the opening of a socket to the first item. */
const MOST_TO_SUBSCRIBE = 12;
/** An inbox is read as a whole, with the approvals of runs at gates with rules. */
const MOST_TO_READ_INBOX = 18;
/** Every operation is sent once: on a busy machine some minutes. */
const TIMEOUT_MS = 10 * 60_000;

const golden: string[] = [];
/** What was counted to its end: a part that is missing must not be written as if it had gone. */
const complete: string[] = [];
let scene: Scene;
let organizationId = "";

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  const connection = { ...testDatabase.connection, Client: log.Client } as PostgresConnection;
  const existing = { testDatabase: { ...testDatabase, connection }, masterKey: randomBytes(32) };
  // The clock stands: what is done once a minute is done before.
  scene = await openScene(1000, { standing: true, existing });
  organizationId = (await scene.api.ask('{ organization(slug: "default") { id } }')).organization.id;
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/**
 * Reads of a kind that are asked for while one is under way go together, so how many there are depends a little on how
 * long each takes. One for each row would be nine more for ten rows.
 */
const MORE_BY_CHANCE = 2;

/** Counts what one step sends. */
async function statementsOf(step: () => Promise<unknown>): Promise<string[]> {
  log.take();
  await step();
  return log.take().flatMap(kindsOf);
}

function timesOf(kinds: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const kind of kinds) times.set(kind, (times.get(kind) ?? 0) + 1);
  return times;
}

/** `name 3`, and below it each kind with how often it was sent. */
function counted(name: string, kinds: string[]): string {
  const groups = [...timesOf(kinds)].map(([kind, times]) => (times === 1 ? kind : `${kind} x${times}`));
  return [`${name}: ${kinds.length}`, ...groups.toSorted().map((group) => `  ${group}`)].join("\n");
}

async function countAll(title: string, examples: Record<string, Example>): Promise<void> {
  for (const [name, example] of Object.entries(examples)) {
    const step = await example();
    await scene.api.ask("{ viewer { role } }");
    golden.push(counted(`${title} ${name}`, await statementsOf(step)));
  }
}

const schema = buildSchema(await readFile(new URL("../../schema/schema.graphql", import.meta.url), "utf8"));
const fieldsOf = (type: string) => Object.keys(objectType(type).getFields()).toSorted();

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  return type;
}

describe("statements of", { timeout: TIMEOUT_MS }, () => {
  afterEach(({ task }) => {
    if (task.result?.state !== "fail") complete.push(task.name);
  });

  it("queries", async () => {
    const examples = queries(scene, organizationId);
    expect(Object.keys(examples).toSorted()).toEqual(fieldsOf("Query"));
    await countAll("query", examples);
  });

  it("mutations", async () => {
    const inputs = mutations(scene, organizationId, await addPool(scene.server, "counted"));
    expect(Object.keys(inputs).toSorted()).toEqual(fieldsOf("Mutation"));
    for (const [name, makeInput] of Object.entries(inputs)) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
        __typename ... on UserError { code message } } }`;
      const input = await makeInput();
      // Rights are compiled with the first request after a change of them, and are known from then on.
      await scene.api.ask("{ viewer { role } }");
      const kinds = await statementsOf(async () => {
        const answer = (await scene.api.ask(document, { input }))[name];
        expect(answer).toEqual({ __typename: `${type}Success` });
      });
      // It travels with the commit.
      expect(kinds, `${name} commits under whatever rights`).toContain("select require_rights");
      golden.push(counted(`mutation ${name}`, kinds));
    }
  });

  it("approvals, by rules with and without teams", async () => {
    const { createTeam } = await scene.api.ask(
      'mutation ($id: ID!) { createTeam(input: { organizationId: $id, name: "counted" }) { ... on CreateTeamSuccess { team { id } } } }',
      { id: organizationId },
    );
    const teamId = createTeam.team.id;
    const member = { teamId, actorId: ADMIN_ACTOR_ID };
    await scene.api.ask("mutation ($input: AddTeamMemberInput!) { addTeamMember(input: $input) { __typename } }", {
      input: member,
    });
    const atGate = async (teamIds: string[]): Promise<string> => {
      const approvalRules = [{ name: "one", gate: "PLAN", teamIds }];
      return (await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules })).runId;
    };
    const read = "query ($id: ID!) { run(id: $id) { actions { allowed } approvalRequirements { missing } } }";
    const examples = (teamIds: string[]): Record<string, Example> => ({
      actions: async () => {
        const id = await atGate(teamIds);
        return () => scene.api.ask(read, { id });
      },
      approveRun: async () => {
        const runId = await atGate(teamIds);
        const input = { runId, gate: "PLAN", planVersion: 1 };
        return async () => {
          const answer = await scene.api.ask(
            "mutation ($input: ApproveRunInput!) { approveRun(input: $input) { __typename } }",
            { input },
          );
          expect(answer.approveRun.__typename).toBe("ApproveRunSuccess");
        };
      },
    });
    await countAll("by a rule,", examples([]));
    await countAll("by a rule that names teams,", examples([teamId]));
  });

  it("requests of runners", async () => {
    await countAll("runner", runnerRequests(scene));
  });

  it("subscriptions", async () => {
    const examples = subscriptions(scene, organizationId);
    expect(Object.keys(examples).toSorted()).toEqual(fieldsOf("Subscription"));
    for (const [name, example] of Object.entries(examples)) {
      // How many there are depends on what is heard meanwhile: this is a bound, and not written down.
      const kinds = await statementsOf(await example());
      const most = name === "inboxEvents" ? MOST_TO_READ_INBOX : MOST_TO_SUBSCRIBE;
      expect(kinds.length, counted(name, kinds)).toBeLessThanOrEqual(most);
    }
  });

  it("are as many as they were", async () => {
    expect(complete).toEqual([
      "queries",
      "mutations",
      "approvals, by rules with and without teams",
      "requests of runners",
      "subscriptions",
    ]);
    await expect(`${golden.join("\n")}\n`).toMatchFileSnapshot("statement-counts.txt");
  });
});

/** The queries that ask for all fields of a type. */
const PARTS = 5;

describe("a list of ten asks no more for each than a list of one", { timeout: TIMEOUT_MS }, () => {
  const LISTS = {
    Organization: (count: number, fields: string) =>
      `{ organizations(first: ${count}) { edges { node { ${fields} } } } }`,
    Run: (count: number, fields: string) =>
      `{ runs(first: ${count}, filter: { statuses: [AWAITING_APPLY_APPROVAL] }) { edges { node { ${fields} } } } }`,
    Workspace: (count: number, fields: string) =>
      `{ organization(slug: "even") { workspaces(first: ${count}) { edges { node { ${fields} } } } } }`,
  };

  beforeAll(async () => {
    await scene.quick("createOrganization", { slug: "even", name: "Even", concurrencyLimit: 100 });
    for (let number = 0; number < 8; number++)
      await scene.quick("createOrganization", { slug: `o${number}`, name: "One of ten", concurrencyLimit: 1 });
    const alike = { organization: "even", hooks: [{ stage: "BEFORE_PLAN", command: "true" }] };
    await Promise.all(Array.from({ length: 10 }, () => scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", alike)));
    await scene.rows("update workspace set deploy_shape = 'STATIC'");
  });

  it("and suggestions of probes take what outputs and probes take", async () => {
    const read = (fields: string) => statementsOf(() => scene.api.ask(LISTS.Workspace(10, fields)));
    const parts = "outputs { name } probes { name }";
    expect(timesOf(await read(`${parts} suggestedProbes { name }`))).toEqual(timesOf(await read(parts)));
  });

  it.each(Object.entries(LISTS))("of type %s, whatever is asked of each", async (type, document) => {
    const fields = everyFieldOf(objectType(type));
    const size = Math.ceil(fields.length / PARTS);
    // All of them are more fields than one query may have.
    for (let from = 0; from < fields.length; from += size) {
      const part = fields.slice(from, from + size);
      const selection = ["id", ...part].join(" ");
      const [one, ten] = [
        await statementsOf(() => scene.api.ask(document(1, selection))),
        await statementsOf(() => scene.api.ask(document(10, selection))),
      ];
      const before = timesOf(one);
      const more = [...timesOf(ten)].filter(([kind, times]) => times > (before.get(kind) ?? 0) + MORE_BY_CHANCE);
      expect(more, counted(type, ten)).toEqual([]);
    }
  });
});
