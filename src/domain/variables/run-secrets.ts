import { secretTexts } from "../../model/workspace/secret-texts.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listRunMasks } from "../../persistence/run/run-mask-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readRunVariables } from "./run-variables.ts";

/** Returns the values that jobs of a run, and of its PLAN run, declared as sensitive. */
export function runMasks(reader: Reader, { cipher }: Pick<Deps, "cipher">, runId: string): Promise<string[]> {
  return listRunMasks(reader, cipher, runId);
}

/** Returns the values to mask in a run's output, besides the current secrets of its workspace. */
export async function runSecrets(reader: Reader, deps: Deps, runId: string): Promise<string[]> {
  return [...secretTexts(await readRunVariables(reader, deps, runId)), ...(await runMasks(reader, deps, runId))];
}
