/** Reads the files in the folder of a job that name processes: the runner that owns the folder, and its engines. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ProcessIdentity } from "../../os/process-identity.ts";

/** The id and the credential of a job. */
export interface JobKey {
  id: string;
  token: string;
}

/** The runner that made the folder of a job, and what a later runner needs to deliver a state that was left in it. */
export interface JobOwner extends ProcessIdentity {
  job: JobKey;
  /** Whether the job may write a state. */
  savesState: boolean;
  /** The folder of the source in which the engine runs. */
  workFolder: string;
}

/** An engine that runs, or ran. */
export interface EngineRecord extends ProcessIdentity {
  /** It may have a state to save. */
  applying: boolean;
}

const identitySchema = z.object({ pid: z.int().positive(), startedAt: z.string() });
const ownerSchema: z.ZodType<JobOwner> = identitySchema.extend({
  job: z.object({ id: z.string(), token: z.string() }),
  savesState: z.boolean(),
  workFolder: z.string(),
});
const engineSchema: z.ZodType<EngineRecord> = identitySchema.extend({ applying: z.boolean() });

/** `null` if the file is missing, or was not written to its end. */
export async function readOwner(path: string): Promise<JobOwner | null> {
  return read(path, ownerSchema);
}

/** `null` if the file is missing, or was not written to its end. */
export async function readEngine(path: string): Promise<EngineRecord | null> {
  return read(path, engineSchema);
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}
