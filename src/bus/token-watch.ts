import { LIMITS } from "../model/kit/limits.ts";
import type {
  TokenEnd,
  TokenHolder,
  TokenState,
  TokenWatch,
  WatchedToken,
  WatchToken,
} from "../model/people/token-watch.ts";
import type { Hub, Watch } from "./hub.ts";

export interface TokenWatchOptions {
  clock: () => Date;
  /** Reports an unexpected error, which the connection survives. */
  reportError: (error: unknown) => void;
  /** The longest wait before a check without a hint. */
  checkMs?: number;
}

/**
 * Watches tokens by the hints of the server that revokes them, and by checks at intervals. Holders of one token share a
 * watch: ten thousand sockets may use the same token.
 */
export function createTokenWatch(hub: Hub, options: TokenWatchOptions): WatchToken {
  const { clock, reportError, checkMs = LIMITS.tokenCheckMs } = options;
  const watched = new Map<string, Watched>();

  function begin(key: string, token: WatchedToken, check: () => Promise<TokenState>): Watched {
    const { credentialId, topic = `token:${credentialId}` as const, openedById } = token;
    const watch = hub.watch(topic, ...(openedById === undefined ? [] : [`token:${openedById}` as const]), "rights");
    const opened = token.expiresAt ?? null;
    let until = opened;
    const holders = new Set<TokenHolder>();
    const found: Watched = {
      watch,
      holders,
      leave: (holder) => {
        if (holders.delete(holder) && holders.size === 0) forget(key, found);
      },
    };
    watched.set(key, found);
    const leftMs = (): number => (until === null ? Number.POSITIVE_INFINITY : Date.parse(until) - clock().getTime());

    async function stateNow(): Promise<TokenEnd | "VALID"> {
      try {
        const state = leftMs() > 0 ? await check() : "ENDED";
        if (state === "ENDED" || state === "LESS_RIGHTS") return state;
        until = state === "VALID" ? opened : state.until;
        return leftMs() > 0 ? "VALID" : "ENDED";
      } catch (error) {
        reportError(error);
        return "VALID";
      }
    }

    async function follow(): Promise<void> {
      while (holders.size > 0) {
        await watch.changed(Math.max(0, Math.min(checkMs, leftMs())));
        watch.reset();
        const state = holders.size === 0 ? "VALID" : await stateNow();
        if (state === "VALID") continue;
        const ended = [...holders];
        forget(key, found);
        for (const holder of ended) holder.tokenEnded(state);
      }
    }

    queueMicrotask(() => void follow());
    return found;
  }

  function forget(key: string, found: Watched): void {
    found.holders.clear();
    if (watched.get(key) === found) watched.delete(key);
    found.watch[Symbol.dispose]();
  }

  return (token, check, holder) => {
    const key = `${token.credentialId} ${token.expiresAt ?? ""} ${token.variant ?? ""}`;
    const found = watched.get(key) ?? begin(key, token, check);
    found.holders.add(holder);
    return found;
  };
}

/** The watch of one token, with its holders. */
interface Watched extends TokenWatch {
  watch: Watch;
  holders: Set<TokenHolder>;
}
