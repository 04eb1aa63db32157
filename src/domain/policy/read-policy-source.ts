import type { PolicySource } from "../../model/policy/policy-source.ts";
import { findPolicySources, type SourceRow } from "../../persistence/policy/policy-version-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Reads the sources of versions, with their compiled modules, in the order of the ids. Throws for one that does not exist. */
export async function readPolicySources(
  deps: Pick<Deps, "database" | "blobs">,
  versionIds: readonly string[],
): Promise<PolicySource[]> {
  if (versionIds.length === 0) return [];
  const rows = await findPolicySources(deps.database, versionIds);
  return Promise.all(rows.map((row, index) => withModule(deps, row, versionIds[index])));
}

async function withModule(
  { blobs }: Pick<Deps, "blobs">,
  row: SourceRow | null,
  versionId: string | undefined,
): Promise<PolicySource> {
  if (row === null) throw new Error(`There is no version ${versionId ?? ""} of a policy set.`);
  const { source, moduleBlobId } = row;
  if (source.language === "CEL") return source;
  if (moduleBlobId === null) throw new Error(`The version ${row.versionId} has no module.`);
  return { ...source, module: Buffer.concat(await Array.fromAsync(await blobs.read(moduleBlobId))) };
}
