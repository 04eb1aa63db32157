import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { defaultProjectId } from "../../src/model/people/project-tree.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import {
  AMNIFY_STATUSES,
  FORGECROFT_STATUSES,
  HCP_STATUSES,
  SMART_DEPLOY_STATUSES,
  SPACELIFT_STATES,
} from "../../src/model/lifecycle/dialects.ts";
import { reachablePositions } from "../../src/model/lifecycle/legal-changes.ts";
import { isTerminal } from "../../src/model/lifecycle/run-status.ts";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Scene } from "./scene.ts";

const AT = "2026-01-02T03:04:05.678Z";
const LIST = `query ($filter: RunFilter, $after: String) { runs(first: 100, after: $after, filter: $filter) {
  totalCount pageInfo { hasNextPage endCursor } edges { node { id dialects { amnify spacelift hcp
    forgecroft { plan apply unlock } smartDeploy { status } } } } } }`;

/** Where the words of a filter's field stand in Run.dialects. */
const FIELDS: Record<string, { words: readonly string[]; of: (dialects: Data) => string | null }> = {
  amnify: { words: AMNIFY_STATUSES, of: (dialects) => dialects.amnify },
  spacelift: { words: SPACELIFT_STATES, of: (dialects) => dialects.spacelift },
  hcp: { words: HCP_STATUSES, of: (dialects) => dialects.hcp },
  forgecroftPlan: { words: FORGECROFT_STATUSES, of: ({ forgecroft }) => forgecroft.plan },
  forgecroftApply: { words: FORGECROFT_STATUSES, of: ({ forgecroft }) => forgecroft.apply },
  forgecroftUnlock: { words: FORGECROFT_STATUSES, of: ({ forgecroft }) => forgecroft.unlock },
  smartDeploy: { words: SMART_DEPLOY_STATUSES, of: ({ smartDeploy }) => smartDeploy.status },
};

let scene: Scene;
/** Every run, with its words. */
let all: Data[];
beforeAll(async () => {
  scene = await openScene();
  await addEveryPlace(await scene.createWorkspace());
  all = await list({});
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

/** One run in every place that there is, past the machine, which would take long to bring them there. */
async function addEveryPlace(workspaceId: string): Promise<void> {
  const places = reachablePositions().flatMap((place) =>
    (place.status === "STOPPED" ? [false, true] : [false]).map((forced) => ({ ...place, forced })),
  );
  await scene.server.deps.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    for (const [index, { kind, status, leg, outcome, forced }] of places.entries()) {
      await sql`
        insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, forced, command, trigger,
          created_by, variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at)
        values (${scene.server.deps.newId("run")}, ${DEFAULT_ORGANIZATION_ID}, ${defaultProjectId(DEFAULT_ORGANIZATION_ID)}, ${workspaceId}, ${index + 1}, ${kind},
          ${status}, ${leg}, ${outcome}, ${forced}, ${kind === "TASK" ? "true" : null}, 'MANUAL', ${SYSTEM_ACTOR_ID},
          '', '{}', '{}', 1, 1, ${AT}, ${AT}, ${isTerminal(status) ? AT : null})
      `.execute(tx.sql);
    }
  });
}

/** All pages; what is counted must be what is listed. */
async function list(filter: object): Promise<Data[]> {
  const nodes: Data[] = [];
  for (let after: string | null = null; ; ) {
    const { runs }: Data = await scene.api.ask(LIST, { filter, after });
    for (const { node } of runs.edges) nodes.push(node);
    after = runs.pageInfo.endCursor;
    if (runs.pageInfo.hasNextPage) continue;
    expect(runs.totalCount).toBe(nodes.length);
    return nodes;
  }
}

const ids = (runs: Data[]): string[] => runs.map(({ id }) => id);

test("there is a run in every place", () => {
  const stopped = reachablePositions().filter(({ status }) => status === "STOPPED").length;
  expect(all.length).toBe(reachablePositions().length + stopped);
});

describe.each(walk(Object.entries(FIELDS), 3))("%s", (field, { words, of }) => {
  it("gives for each word just the runs that show it, and for all words those that show any", async () => {
    for (const word of words) {
      const expected = all.filter(({ dialects }) => of(dialects) === word);
      expect([word, ids(await list({ dialect: { [field]: [word] } }))]).toEqual([word, ids(expected)]);
    }
    const any = all.filter(({ dialects }) => of(dialects) !== null);
    expect(ids(await list({ dialect: { [field]: words } }))).toEqual(ids(any));
  });

  it("gives nothing for an empty list, and everything for null", async () => {
    expect(await list({ dialect: { [field]: [] } })).toEqual([]);
    expect(await list({ dialect: { [field]: null } })).toHaveLength(all.length);
  });
});

it("joins dialects with each other and with the rest of the filter", async () => {
  const found = await list({ dialect: { hcp: ["errored"], forgecroftApply: ["TIMED_OUT"] }, kinds: ["DEPLOY"] });
  expect(found).toHaveLength(1);
  expect(await list({ dialect: { hcp: ["force_canceled"], amnify: ["COMPLETED"] } })).toEqual([]);
});
