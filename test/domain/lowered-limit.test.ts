/** A limit that is lowered while a claim looks at a run: the run loses its slot once the claim has given it up. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { claimJob } from "../../src/domain/job/claim-job.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { lockWorkspaceRow } from "../../src/persistence/workspace/workspace-store.ts";
import { RUNNER_SELF } from "../support/fake-runner.ts";
import { startInProcess } from "../support/in-process.ts";
import { ADMIN, openLine } from "../support/line.ts";

/** Holds a transaction that has found its workspace busy until `release`; it has the row of the run meanwhile. */
function heldWhereBusy(deps: Deps) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction: Deps["database"]["transaction"] = (work, rights) =>
    deps.database.transaction(async (tx) => {
      const result = await work(tx);
      if (result === "BUSY") {
        held.resolve();
        await released.promise;
      }
      return result;
    }, rights);
  const database = { ...deps.database, sql: deps.database.sql, transaction };
  return { deps: { ...deps, database }, held: held.promise, release: released.resolve };
}

it("starts no run above a limit that was lowered while a claim looked at it", async () => {
  await using server = await startInProcess();
  const line = await openLine(server);
  const setLimit = (concurrencyLimit: number) =>
    server.domain.updateOrganization(ADMIN, { organizationId: DEFAULT_ORGANIZATION_ID, concurrencyLimit });
  await setLimit(2);
  const busy = await line.addWorkspace();
  await line.queue(await line.addWorkspace());
  expect(await line.claim()).not.toBeNull();
  await line.queue(busy);

  // A command of a person has the workspace.
  const ended = Promise.withResolvers<void>();
  const hasIt = Promise.withResolvers<void>();
  const command = server.deps.database.transaction(async (tx) => {
    await lockWorkspaceRow(tx, busy);
    hasIt.resolve();
    await ended.promise;
  });
  await hasIt.promise;
  const runner = await server.jobs.authenticateRunner(server.runnerToken);
  if (runner === null) throw new Error("The runner is not let in.");
  const { deps, held, release } = heldWhereBusy(server.deps);
  const claim = { claimId: randomUUID(), runner: { ...RUNNER_SELF, name: "line", slots: 4 } };
  const claimed = claimJob(deps, runner, claim);
  await held;
  await setLimit(1);
  release();
  ended.resolve();
  await command;
  expect(await claimed).toHaveProperty("idle");
  expect(await line.claim()).toBeNull();
});
