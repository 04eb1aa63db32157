import { secretTexts } from "../../model/workspace/secret-texts.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listRunMasks } from "../../persistence/run/run-mask-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readRunVariables } from "./run-variables.ts";

/** The values that jobs of a run declared as sensitive, with those of the run that made its plan. */
export function runMasks(reader: Reader, { cipher }: Pick<Deps, "cipher">, runId: string): Promise<string[]> {
  return listRunMasks(reader, cipher, runId);
}

/** The values that must be masked in a run's output, beside the secrets of its workspace as it is now. */
export async function runSecrets(reader: Reader, deps: Deps, runId: string): Promise<string[]> {
  return [...secretTexts(await readRunVariables(reader, deps, runId)), ...(await runMasks(reader, deps, runId))];
}
