import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openScene, type Scene } from "../domain/scene.ts";
import { LyingRunner, step } from "../support/lying-runner.ts";
import { findViolations } from "../support/run-invariants.ts";

/** Each gives the rows that break its promise. */
const MORE = {
  "a log with gaps": `select * from (select run_id, first_line,
      coalesce(lag(last_line) over (partition by run_id order by last_line), 0) as before from log_batch) b
    where first_line <> before + 1`,
  "a log that ends elsewhere": `select h.run_id, h.last_line from log_head h
    where h.last_line <> coalesce((select max(last_line) from log_batch b where b.run_id = h.run_id), 0)`,
  "two lineages of a workspace": `select workspace_id from state_version group by workspace_id
    having count(distinct lineage) > 1`,
  "a state that is not the newest": `select w.id from workspace w
    where w.state_serial <> coalesce((select max(serial) from state_version s where s.workspace_id = w.id), 0)`,
  "a lock without its job": `select l.workspace_id from state_lock l join job j on j.id = l.job_id
    join workspace w on w.id = l.workspace_id where j.ended_at is not null and w.lock_reason is null`,
  "more that came too late than is kept": `select job_id from recovered_state group by job_id having count(*) > 5`,
};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

/** As `LyingRunner` counts them. */
async function refusals(): Promise<number> {
  const [{ count }] = await scene.rows(
    "select count(*)::int as count from refused_request where (request, code) <> ('POST heartbeat', 'JOB_OVER')",
  );
  return count;
}

it("whatever a runner says, each refusal is recorded, nothing breaks, and every log is whole", {
  timeout: 3_600_000,
}, async () => {
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      const before = await refusals();
      const liar = await LyingRunner.start(scene);
      for (const batch of sequence) await Promise.all(batch.map((each) => liar.take(each)));
      expect(scene.server.reported.splice(0)).toEqual([]);
      expect(liar.statuses.filter((status) => status >= 500)).toEqual([]);
      expect((await refusals()) - before).toBe(liar.refused);
      expect(await findViolations((text) => scene.rows(text), MORE)).toEqual([]);
    }),
    { numRuns: inject("soaks") ? 500 : 12, endOnFailure: !inject("soaks") },
  );
});
