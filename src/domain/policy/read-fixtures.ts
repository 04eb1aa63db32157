import { idKind } from "../../model/kit/id.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { GivenContext } from "../../model/policy/neutral-context.ts";
import type { PolicyTest } from "../../model/policy/policy-test.ts";
import { findPolicyFixtures } from "../../persistence/policy/policy-fixture-store.ts";
import { findPlans } from "../../persistence/plan/plan-store.ts";
import type { Deps } from "../kit/deps.ts";
import { documentKey } from "./plan-document.ts";

/** A fixture as a test uses it. */
export interface TestFixture {
  /** Compressed by zstd. */
  document: Buffer;
  /** `null` if the plan was deleted with its workspace. */
  documentKey: string | null;
  context: GivenContext;
}

/** Reads the fixtures that tests name, by their ids. Throws INVALID_INPUT for one that is not of the set. */
export async function readFixtures(
  { database, blobs, cipher }: Pick<Deps, "database" | "blobs" | "cipher">,
  setId: string,
  tests: readonly PolicyTest[],
): Promise<Map<string, TestFixture>> {
  const named = new Set(tests.flatMap(({ given }) => given.fixtureId ?? []));
  const asked = [...named].filter((id) => idKind(id) === "policyFixture");
  const found = asked.length === 0 ? [] : await findPolicyFixtures(database, asked);
  const ofSet = found.filter((fixture) => fixture?.setId === setId).filter((fixture) => fixture !== null);
  const known = new Set(ofSet.map(({ id }) => id));
  const unknown = tests.findIndex(({ given }) => given.fixtureId !== null && !known.has(given.fixtureId));
  if (unknown >= 0) throw invalidField(`tests.${unknown}.given.fixtureId`, "must be the id of a fixture of the set.");
  const fixtures = new Map<string, TestFixture>();
  if (ofSet.length === 0) return fixtures;
  const plans = await findPlans(
    database,
    ofSet.map(({ planId }) => planId),
  );
  for (const [index, { id, blobId, context }] of ofSet.entries()) {
    const runId = plans[index]?.runId ?? null;
    const document = Buffer.concat(await Array.fromAsync(await blobs.read(blobId)));
    fixtures.set(id, { document, documentKey: runId === null ? null : documentKey(cipher, runId), context });
  }
  return fixtures;
}
