/** Runs in process that a test takes along step by step. */
import { type FakeJob, claim } from "./fake-runner.ts";
import type { InProcess } from "./in-process.ts";
import { createRun, createWorkspace } from "./run-steps.ts";

let names = 0;

/** A run that a fake runner has claimed: it is PREPARING, and goes where the test takes it. */
export async function startRun(server: InProcess): Promise<{ run: string; job: FakeJob }> {
  names += 1;
  const name = `run-${names}`;
  const path = await server.makeSource(name, { "main.tf": 'resource "terraform_data" "a" {}' });
  const run = await createRun(server.api, await createWorkspace(server.api, name, path));
  const job = await claim(server.url, server.runnerToken);
  if (job?.job.run.id !== run) throw new Error("The runner was given another run.");
  return { run, job };
}
