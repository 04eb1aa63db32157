/** Tests of addresses that are sent by runners of a pool. */
import { LIMITS } from "../../model/kit/limits.ts";
import {
  deleteRequest,
  findTestAnswer,
  insertTest,
  type RequestAnswer,
  type RequestContent,
} from "../../persistence/check/check-request-store.ts";
import type { Deps } from "../kit/deps.ts";
import { pollAnswer } from "../kit/poll-answer.ts";
import { findMissingRunner } from "./offer-request.ts";

/** The answer to a test, or why no runner has sent it. */
export type PoolTest = RequestAnswer | { missing: string };

/** Lets a runner of a pool send a test, and waits for its answer. */
export async function testByPool(
  deps: Pick<Deps, "clock" | "cipher" | "database" | "newId">,
  poolId: string,
  content: RequestContent,
): Promise<PoolTest> {
  const { cipher, database } = deps;
  const now = deps.clock();
  const offeredAt = now.toISOString();
  const missing = await findMissingRunner(database, poolId, offeredAt);
  if (missing !== null) return { missing };
  const id = deps.newId("checkRequest");
  const endsAt = new Date(now.getTime() + LIMITS.checkTestMs).toISOString();
  await database.transaction((tx) => insertTest(tx, cipher, { id, poolId, offeredAt, endsAt }, content));
  try {
    const polls = LIMITS.checkTestMs / LIMITS.checkTestPollMs;
    const polling = { polls, pollMs: LIMITS.checkTestPollMs, clock: deps.clock, endsAt };
    const missed = `No runner of the pool has sent the test within ${LIMITS.checkTestMs / 1000} s. Try again.`;
    return (await pollAnswer(() => findTestAnswer(database, id), polling)) ?? { missing: missed };
  } finally {
    await database.statement((statement) => deleteRequest(statement, id)).catch(() => undefined);
  }
}
