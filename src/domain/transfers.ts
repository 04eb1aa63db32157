import { LIMITS } from "../model/kit/limits.ts";
import { type ActorCaller, countedCredential } from "../model/people/permission.ts";
import type { Upload } from "../persistence/blob/upload-store.ts";
import type { Deps } from "./kit/deps.ts";
import { createTokenLimit, type TokenLimit } from "./kit/token-limit.ts";
import { createRunCommand, once } from "./sign-in/rights-in-use.ts";
import { uploadSource } from "./source/upload-source.ts";
import type { SentState } from "./state/keep-state.ts";
import { type ImportedState, importState } from "./state/import-state.ts";

/** Uploads that are too large for GraphQL. `read` returns the body and is called only if the caller may upload. */
export interface Transfers {
  uploadSource(caller: ActorCaller, read: () => Promise<Buffer>): Promise<Upload>;
  importState(caller: ActorCaller, workspaceId: string, read: () => Promise<SentState>): Promise<ImportedState>;
}

/** Creates the limit of concurrent uploads and states, because each is in memory as a whole. */
export function createTransferLimit(): TokenLimit {
  return createTokenLimit({ total: LIMITS.transfersAtOnce, perToken: LIMITS.transfersPerToken });
}

export function createTransfers(deps: Deps, limit: TokenLimit): Transfers {
  const run = createRunCommand(deps);
  return {
    uploadSource(caller, read) {
      const body = once(read);
      return limit(countedCredential(caller), () =>
        run(caller, (using, current) => uploadSource(using, current, body)),
      );
    },
    importState(caller, workspaceId, read) {
      const body = once(read);
      return limit(countedCredential(caller), () =>
        run(caller, (using, current) => importState(using, current, workspaceId, body)),
      );
    },
  };
}
