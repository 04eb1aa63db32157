import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import type { Upload } from "../persistence/blob/upload-store.ts";
import type { Deps } from "./kit/deps.ts";
import { createGate } from "./kit/gate.ts";
import { uploadSource } from "./source/upload-source.ts";
import type { SentState } from "./state/keep-state.ts";
import { type ImportedState, importState } from "./state/import-state.ts";

/** What is too large for GraphQL. `read` gives what was sent, and is asked only when the caller may send it. */
export interface Transfers {
  uploadSource(caller: TokenCaller, read: () => Promise<Buffer>): Promise<Upload>;
  importState(caller: TokenCaller, workspaceId: string, read: () => Promise<SentState>): Promise<ImportedState>;
}

/** A few at a time: each one is in memory as a whole. */
export function createTransfers(deps: Deps): Transfers {
  const gate = createGate(LIMITS.transfersAtOnce);
  return {
    uploadSource: (caller, read) => gate.pass(() => uploadSource(deps, caller, read)),
    importState: (caller, workspaceId, read) => gate.pass(() => importState(deps, caller, workspaceId, read)),
  };
}
