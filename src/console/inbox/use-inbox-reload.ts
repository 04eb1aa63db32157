import { useEffect } from "react";
import { useReread } from "../parts/use-reread.ts";
import { useInboxCursor } from "./inbox-cursor.ts";
import { isNotifier } from "./notify.ts";

/** A run may come and go between two looks of the stream, which then has no item for it: what has read it reads again. */
const AGAIN_MS = 5_000;

/** Whether the inbox of this tab is of use now: it is seen, or notifications depend on it. */
const isUsed = (): boolean => document.visibilityState === "visible" || isNotifier();

/**
 * Reads an inbox again until it is the one of the newest item of the stream. `shown`: the cursor that was read with it;
 * `undefined`: it is being read, `null`: it could not be read. A tab that is hidden reads when it is seen again, but for the one that notifies.
 */
export function useInboxReload(shown: string | null | undefined, reload: () => void): void {
  const newest = useInboxCursor();
  const isOld = newest !== null && shown !== undefined && shown !== newest;
  const reread = useReread(reload);
  useEffect(() => {
    if (!isOld) return undefined;
    const read = (): void => {
      if (isUsed()) reread();
    };
    read();
    const timer = setInterval(read, AGAIN_MS);
    document.addEventListener("visibilitychange", read);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [isOld, newest, reread]);
}
