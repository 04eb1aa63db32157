/** All that the model test compares, read from the database at once. */
import { expect } from "vitest";
import type { Data } from "./api.ts";
import * as model from "./lifecycle-model.ts";

export const SNAPSHOT = `select
  (select coalesce(json_agg(json_build_object('id', id, 'number', number, 'version', version,
    'place', concat(status, '/', leg, '/', outcome), 'attempt', attempt, 'plan', plan_version,
    'holds', holds_workspace, 'stopping', cancel_requested_at is not null) order by id), '[]') from run) as runs,
  (select coalesce(json_agg(json_build_object('id', id, 'run', run_id, 'leg', leg) order by id), '[]')
    from job where ended_at is null) as jobs,
  (select coalesce(json_agg(json_build_object('id', run_id, 'class', class) order by run_id), '[]') from dispatch)
    as dispatch,
  (select count(*)::int from dispatch where offered) as offered,
  (select json_agg(json_build_object('id', id, 'paused', paused, 'lock', lock_reason, 'serial', state_serial,
    'versions', (select count(*) from state_version where workspace_id = workspace.id)) order by id) from workspace)
    as workspaces,
  (select coalesce(json_agg(json_build_object('id', job_id, 'run', run_id, 'serial', serial) order by job_id, serial),
    '[]') from recovered_state) as recovered`;

export function expectSame(found: Data, expected: model.Model): void {
  const rows = model.dispatched(expected);
  const live = model.liveJobs(expected);
  expect(found.runs.map(({ version: _version, ...run }: Data) => run)).toEqual(
    byId(
      model.runsOf(expected).map((run) => ({
        id: run.id,
        number: run.number,
        place: `${run.status}/${run.leg}/${run.outcome ?? ""}`,
        attempt: run.attempt,
        plan: run.plan?.version ?? 0,
        holds: run.holds,
        stopping: run.stopRequestedAtMs !== null,
      })),
    ),
  );
  expect(found.jobs).toEqual(byId(live.map((job) => ({ id: job.id, run: job.run.id, leg: job.leg }))));
  expect(found.dispatch).toEqual(byId(rows.map((row) => ({ id: row.run.id, class: row.class }))));
  expect(found.offered).toBe(Math.min(rows.length, Math.max(0, expected.limit - live.length)));
  const workspaces = expected.workspaces.map(({ id, paused, lock, serial }) => {
    return { id, paused, lock: lock?.reason ?? null, serial, versions: serial };
  });
  expect(found.workspaces).toEqual(byId(workspaces));
  const newest = model.runsOf(expected).flatMap(({ newestJob }) => newestJob ?? []);
  const recovered = newest.flatMap(({ id, run, recovered: serials }) =>
    serials.map((serial) => ({ id, run: run.id, serial })),
  );
  expect(found.recovered).toEqual(byId(recovered));
}

function byId<T extends { id: string }>(list: T[]): T[] {
  return list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
