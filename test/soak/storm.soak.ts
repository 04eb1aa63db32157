/** A push that queues 500 runs: the run of a person who comes later gets one of the next two places that are free. */
import { join } from "node:path";
import pLimit from "p-limit";
import { expect, it } from "vitest";
import type { ClaimedJob } from "../../src/domain/job/leased-job.ts";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { createLooks } from "../../src/domain/repository/looks.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { startInProcess } from "../support/in-process.ts";
import { ADMIN, openLine } from "../support/line.ts";
import { createMonorepo } from "../support/monorepo.ts";
import { createHost, createRepository, decideAll, followFolder } from "../support/repository-steps.ts";

const WORKSPACES = 500;
const PLACES = 3;
/** The persons that come, and the claims between two of them. */
const PERSONS = 10;
const BETWEEN = 20;

it("a person waits for one or two places, not for the push", { timeout: 10 * 60_000 }, async () => {
  await using server = await startInProcess();
  const { deps, sourceRoot } = server;
  const line = await openLine(server);
  const monorepo = createMonorepo(join(sourceRoot, "mono"), { workspaces: WORKSPACES, modules: 100 });
  const { gitHost } = await createHost(server.api, { kind: "GIT", url: `file://${sourceRoot}` });
  const { id } = await createRepository(server.api, gitHost.id, "mono");
  const limit = pLimit(8);
  await Promise.all(monorepo.workspaces.map((path) => limit(() => followFolder(server.api, id, path))));
  await server.domain.updateOrganization(ADMIN, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    concurrencyLimit: PLACES,
  });
  await using looks = createLooks(deps);
  const settle = async (): Promise<void> => {
    server.advance(66_000);
    await looks.begin((error) => {
      throw error;
    });
    await looks.idle();
    await decideAll(deps);
    await changesetRound(deps, new AbortController().signal);
  };
  await settle();
  monorepo.push({ [`${monorepo.shared}/main.tf`]: "# storm\n" });
  await settle();
  // A push of so many may wait for a person before.
  const [held] = await deps.database.sql.selectFrom("changeset").select(["id", "held_at"]).execute();
  if (held !== undefined && held.held_at !== null) {
    await server.domain.continueChangeset(ADMIN, { changesetId: held.id });
    await changesetRound(deps, new AbortController().signal);
  }
  const { count } = await deps.database.sql
    .selectFrom("run")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(WORKSPACES);

  const live: ClaimedJob[] = [];
  const next = async (): Promise<ClaimedJob> => {
    const [over] = live.length < PLACES ? [] : live.splice(0, 1);
    if (over !== undefined) await line.end(over);
    const job = await line.claim();
    if (job === null) throw new Error("There is nothing to take.");
    live.push(job);
    return job;
  };
  const waited: number[] = [];
  for (let person = 0; person < PERSONS; person += 1) {
    for (let claims = 0; claims < BETWEEN; claims += 1) await next();
    const run = await line.queue(await line.addWorkspace(), "DEPLOY");
    for (let places = 1; ; places += 1) {
      if ((await next()).run.id !== run.id) continue;
      waited.push(places);
      break;
    }
  }
  console.log({ waited });
  expect(Math.max(...waited)).toBeLessThanOrEqual(2);
  expect(server.reported).toEqual([]);
});
