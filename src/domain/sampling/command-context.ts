import { type CommandOutput, commandOutputs } from "../../model/verification/command-context.ts";
import type { ProbeOutput } from "../../model/probe/resolve-probe.ts";
import type { Run } from "../../model/run/run.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readRunVariables } from "../variables/run-variables.ts";
import { runMasks } from "../variables/run-secrets.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";

/** The input of the commands of a verification. */
export interface CommandContext {
  run: { id: string; number: number };
  workspace: string;
  /** Those of the run, as its jobs got them. */
  variables: Variable[];
  outputs: CommandOutput[];
  /** More texts to be masked. */
  secrets: string[];
}

/** Reads what the commands of a verification get. The variables of the run are stored sealed, and opened here alone. */
export async function readCommandContext(
  deps: Deps,
  { id, number, workspaceId }: Pick<Run, "id" | "number" | "workspaceId">,
  outputs: ReadonlyMap<string, ProbeOutput>,
): Promise<CommandContext> {
  const { database } = deps;
  const workspace = await findWorkspace(database, workspaceId);
  return {
    run: { id, number },
    workspace: workspace?.name ?? "",
    variables: await readRunVariables(database, deps, id),
    outputs: commandOutputs(outputs),
    secrets: [...(await workspaceSecrets(database, deps, workspaceId)), ...(await runMasks(database, deps, id))],
  };
}
