/** Results of policies about runs that ended go with their events, in steps. */
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { retentionRound } from "../../../src/domain/retention/retention-round.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { attach, evaluationsOf, judgeAll, planned, statusOf } from "../../support/judged-runs.ts";
import { openScene, type Scene } from "../scene.ts";

const DAY = 24 * 60 * 60 * 1000;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(100, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

async function judged(level: "MANDATORY" | "SOFT_MANDATORY"): Promise<string> {
  const workspaceId = await scene.createWorkspace();
  await attach(scene, workspaceId, [{ name: "rule", level }]);
  const { runId } = await planned(scene, workspaceId);
  await judgeAll(scene);
  return runId;
}

async function keep(eventDays: number | null): Promise<void> {
  await scene.quick("updateOrganization", { organizationId: DEFAULT_ORGANIZATION_ID, retention: { eventDays } });
}

async function sweep(): Promise<number[]> {
  const steps: number[] = [];
  await retentionRound(scene.server.deps, (kind, count) => kind === "EVENTS" && steps.push(count));
  return steps;
}

async function read(id: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status reason failure { code message }
    policyEvaluations { id } events(first: 100) { edges { node { __typename } } } } }`;
  return (await scene.api.ask(query, { id })).run;
}

it("removes evaluations and results of ended runs a day after eventDays, in steps; live runs keep theirs", async () => {
  const [ended, live] = [await judged("MANDATORY"), await judged("SOFT_MANDATORY")];
  const [before, liveBefore] = [await read(ended), await evaluationsOf(scene, live)];
  expect([before["status"], await statusOf(scene, live)]).toEqual(["REJECTED", "AWAITING_PLAN_APPROVAL"]);
  const more = LIMITS.retentionRows + 10;
  await scene.rows(
    `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message, addresses, fingerprint)
     select 'pres_' || n, e.id, 100 + n, 'rule', 'rule', 'MANDATORY', true, 'FAILED', 'It is wrong.', '{}', ''
     from policy_evaluation e, generate_series(1, $2::int) n where e.run_id = $1`,
    ended,
    more,
  );
  const [{ n: results }] = await scene.rows(
    "select count(*)::int as n from policy_result r join policy_evaluation e on e.id = r.evaluation_id where e.run_id = $1",
    ended,
  );
  expect(results).toBeGreaterThan(more);

  await keep(10);
  // As old as the organization keeps them, and younger than a day more.
  scene.server.advance(10.5 * DAY);
  await sweep();
  expect((await read(ended))["policyEvaluations"]).toHaveLength(1);

  scene.server.advance(DAY);
  const steps = await sweep();
  expect(steps[0]).toBe(LIMITS.retentionRows);
  const left = "select 1 from policy_result r join policy_evaluation e on e.id = r.evaluation_id where e.run_id = $1";
  expect(await scene.rows(left, ended)).toEqual([]);
  const after = await read(ended);
  expect(after).toMatchObject({
    status: "REJECTED",
    reason: before["reason"],
    failure: before["failure"],
    policyEvaluations: [],
  });
  expect(await evaluationsOf(scene, live)).toEqual(liveBefore);
  expect(await sweep()).toEqual([]);
});

/** Postgres looks a removed row up in the tables that refer to it: without an index it reads each of them as a whole. */
it("looks up what refers to a removed row by an index", async () => {
  const removed = ["policy_simulation", "policy_simulation_item", "policy_evaluation", "policy_result"];
  const unindexed = await scene.rows(
    `select c.conrelid::regclass::text as "table", c.conname as key from pg_constraint c
      where c.contype = 'f' and c.confrelid = any(select to_regclass(name)::oid from unnest($1::text[]) name)
        and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
    removed,
  );
  expect(unindexed).toEqual([]);
  // Simulations refer to runs and plans without an index, and overrides to approvals: no statement removes those.
  const folder = new URL("../../persistence/sql/", import.meta.url);
  for (const name of await readdir(folder)) {
    const text = await readFile(new URL(name, folder), "utf8");
    expect(text, name).not.toMatch(/delete\s+from\s+"?(?:run|plan|approval)"?\s/);
  }
});
