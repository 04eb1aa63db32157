import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import type { Upload } from "../persistence/blob/upload-store.ts";
import type { Deps } from "./kit/deps.ts";
import { createTokenLimit, type TokenLimit } from "./kit/token-limit.ts";
import { uploadSource } from "./source/upload-source.ts";
import type { SentState } from "./state/keep-state.ts";
import { type ImportedState, importState } from "./state/import-state.ts";

/** Uploads that are too large for GraphQL. `read` returns the body and is called only if the caller may upload. */
export interface Transfers {
  uploadSource(caller: TokenCaller, read: () => Promise<Buffer>): Promise<Upload>;
  importState(caller: TokenCaller, workspaceId: string, read: () => Promise<SentState>): Promise<ImportedState>;
}

/** Creates the limit of concurrent uploads and states, because each is in memory as a whole. */
export function createTransferLimit(): TokenLimit {
  return createTokenLimit({ total: LIMITS.transfersAtOnce, perToken: LIMITS.transfersPerToken });
}

export function createTransfers(deps: Deps, limit: TokenLimit): Transfers {
  return {
    uploadSource: (caller, read) => limit(caller.tokenId, () => uploadSource(deps, caller, read)),
    importState: (caller, workspaceId, read) =>
      limit(caller.tokenId, () => importState(deps, caller, workspaceId, read)),
  };
}
