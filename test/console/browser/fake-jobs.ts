/** Jobs of runs for tests of pages: what happens in them is what the test sends. */
import type { Api } from "../../support/api.ts";
import { claim, type FakeJob } from "../../support/fake-runner.ts";

/** Nobody sends heartbeats: on a slow machine a test takes longer than a lease lasts otherwise. */
const LEASE_SECONDS = 3600;

/** Makes a pool whose runners take every run, and gives the function that claims the next job. */
export async function openFakeJobs(url: string, api: Api): Promise<() => Promise<FakeJob>> {
  const { organizations } = await api.ask(`{ organizations(first: 1) { edges { node { id } } } }`);
  const organizationId = organizations.edges[0].node.id;
  const changed = await api.ask(
    `mutation ($id: ID!) { updateOrganization(input: { organizationId: $id, limits: { leaseSeconds: ${LEASE_SECONDS} } }) {
      __typename } }`,
    { id: organizationId },
  );
  if (changed.updateOrganization.__typename !== "UpdateOrganizationSuccess")
    throw new Error("Leases keep their length.");
  const pool = await api.ask(
    `mutation ($id: ID!) { createRunnerPool(input: { organizationId: $id, name: "fake" }) {
      ... on CreateRunnerPoolSuccess { runnerPool { id } } } }`,
    { id: organizationId },
  );
  const token = await api.ask(
    `mutation ($id: ID!) { createRunnerToken(input: { poolId: $id, name: "fake" }) {
      ... on CreateRunnerTokenSuccess { secret } } }`,
    { id: pool.createRunnerPool.runnerPool.id },
  );
  return async () => {
    const job = await claim(url, token.createRunnerToken.secret);
    if (job === null) throw new Error("There is no job to claim.");
    return job;
  };
}

/** Sends lines of a phase in batches that the server takes at once. */
export async function sendLines(job: FakeJob, texts: readonly string[], batch = 5000): Promise<void> {
  for (let at = 0; at < texts.length; at += batch) {
    const { status } = await job.log("PLAN", ...texts.slice(at, at + batch));
    if (status !== 200) throw new Error(`The lines were refused with HTTP ${status}.`);
  }
}
