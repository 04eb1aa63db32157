/** Probes of workspaces, and the values that their templates name. */
import { joinProbe, type Probe, type ProbeSecrets, type ProbeSettings, splitProbe } from "../../model/probe/probe.ts";
import type { Output } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Cipher } from "../installation/cipher.ts";

const ownerOf = (workspaceId: string, name: string): string => `workspace/${workspaceId}/probe/${name}`;

/** Replaces the probes of a workspace, whose row must be locked. */
export async function replaceProbes(
  tx: Transaction,
  cipher: Cipher,
  workspaceId: string,
  probes: readonly Probe[],
): Promise<void> {
  await tx.sql.deleteFrom("probe").where("workspace_id", "=", workspaceId).execute();
  if (probes.length === 0) return;
  const rows = probes.map((probe, position) => {
    const { settings, secrets } = splitProbe(probe);
    const { name, kind, use } = probe;
    const sealed = cipher.seal(Buffer.from(JSON.stringify(secrets)), ownerOf(workspaceId, name));
    const shown = JSON.stringify(settings);
    return { workspace_id: workspaceId, name, position, kind, use, settings: shown, secrets_sealed: sealed };
  });
  await tx.sql.insertInto("probe").values(rows).execute();
}

/** Lists the probes of each workspace in their order, with their secrets. */
export async function listProbes(reader: Reader, cipher: Cipher, workspaceIds: readonly string[]): Promise<Probe[][]> {
  const rows = await reader.sql
    .selectFrom("probe")
    .select(["workspace_id", "name", "settings", "secrets_sealed"])
    .where("workspace_id", "in", workspaceIds)
    .orderBy("position")
    .execute();
  return grouped(workspaceIds, rows, (row) => row.workspace_id).map((group) =>
    group.map((row) => {
      const text = cipher.open(row.secrets_sealed, ownerOf(row.workspace_id, row.name)).toString();
      const secrets: ProbeSecrets = JSON.parse(text);
      return joinProbe(row.settings, secrets);
    }),
  );
}

/** Lists the probes of each workspace in their order, as readers see them. */
export async function listProbeSettings(reader: Reader, workspaceIds: readonly string[]): Promise<ProbeSettings[][]> {
  const rows = await reader.sql
    .selectFrom("probe")
    .select(["workspace_id", "settings"])
    .where("workspace_id", "in", workspaceIds)
    .orderBy("position")
    .execute();
  return grouped(workspaceIds, rows, (row) => row.workspace_id).map((group) => group.map(({ settings }) => settings));
}

/** The outputs of a state, with the sensitive values as they are sealed. */
export interface StateOutputs {
  stateVersionId: string;
  outputs: readonly Output[];
  secretsSealed: Buffer | null;
}

/** Finds the outputs of the newest state of each workspace. */
export async function findNewestOutputs(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(StateOutputs | null)[]> {
  const rows = await reader.sql
    .selectFrom("state_version")
    .distinctOn("workspace_id")
    .select(["workspace_id", "id", "outputs", "secret_outputs_sealed"])
    .where("workspace_id", "in", workspaceIds)
    .orderBy("workspace_id")
    .orderBy("serial", "desc")
    .execute();
  return inOrder(workspaceIds, rows, (row) => row.workspace_id).map((row) =>
    row === null ? null : { stateVersionId: row.id, outputs: row.outputs, secretsSealed: row.secret_outputs_sealed },
  );
}
