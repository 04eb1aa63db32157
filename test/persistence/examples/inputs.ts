import * as scans from "../../../src/persistence/inputs/blob-scan-store.ts";
import * as inputs from "../../../src/persistence/inputs/source-inputs-store.ts";
import { type ExampleStore, exampleStore, LATER } from "./world.ts";

const SCAN = { modules: ["../b"], reads: [], unresolved: [], readsAll: false };

export const INPUT_STORES: Record<string, ExampleStore> = {
  "blob-scan-store": exampleStore(scans, ({ tx, at }) => {
    const place = { mirror: "m", scanner: 1 };
    return {
      upsertBlobScans: () =>
        scans.upsertBlobScans(
          tx,
          { ...place, at },
          new Map([
            ["1", SCAN],
            ["2", SCAN],
          ]),
        ),
      findBlobScans: () => scans.findBlobScans(tx, place, ["1", "3"]),
      deleteBlobScans: () => scans.deleteBlobScans(tx, LATER),
    };
  }),
  "source-inputs-store": exampleStore(inputs, ({ tx, at, run, workspace: { id, organizationId } }) => {
    const read = { digest: "d", commit: "c", folders: ["a"], paths: ["b"], unresolved: [] };
    return {
      upsertSourceInputs: () => inputs.upsertSourceInputs(tx, id, read, at),
      upsertInputsOfWorkspaces: () => inputs.upsertInputsOfWorkspaces(tx, new Map([[id, read]]), at),
      findSourceInputs: () => inputs.findSourceInputs(tx, [{ workspaceId: id, digest: "d" }]),
      findInputsOfRuns: () => inputs.findInputsOfRuns(tx, [run.id]),
      listFoldersOfRepository: () => inputs.listFoldersOfRepository(tx, organizationId, "https://example.com/a.git"),
      insertReportedFolders: () => inputs.insertReportedFolders(tx, { runId: run.id, at }, ["modules/a", "modules/b"]),
      listFoldersReportedBy: () => inputs.listFoldersReportedBy(tx, [run.id]),
      listReportedFolders: () => inputs.listReportedFolders(tx, [id]),
    };
  }),
};
