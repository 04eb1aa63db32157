/** The runner's file in the folder of a job: whose it is. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ProcessIdentity } from "../os/process-identity.ts";

/** What the server knows a job by. */
export interface JobKey {
  id: string;
  token: string;
}

const identitySchema = z.object({ pid: z.int().positive(), startedAt: z.string() });

/** What a later runner needs to deliver a state that was left. */
const jobSchema = z.object({ job: z.object({ id: z.string(), token: z.string() }) });

/** Of a job that a runner of an earlier release made a state may come. */
const phaseSchema = z.object({ savesState: z.boolean().default(true) });

/** undefined: there is no such process written down. */
export async function readIdentity(path: string): Promise<ProcessIdentity | undefined> {
  return (await read(path, identitySchema)) ?? undefined;
}

/** undefined where a runner of an earlier release made the folder. */
export async function readJobKey(path: string): Promise<JobKey | undefined> {
  return (await read(path, jobSchema))?.job;
}

/** Whether a state may come of the job. */
export async function readSavesState(path: string): Promise<boolean> {
  return (await read(path, phaseSchema))?.savesState ?? true;
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}
