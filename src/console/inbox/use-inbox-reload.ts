import { useEffect } from "react";
import { useReread } from "../parts/use-reread.ts";
import { useInboxCursor } from "./inbox-cursor.ts";
import { isNotifier } from "./notify.ts";

/** The stream has no item for a run that comes and goes between two of its reads. A page that has read it in between reads again. */
const AGAIN_MS = 5_000;

/** Whether the inbox of this tab is of use now: it is seen, or notifications depend on it. */
const isUsed = (): boolean => document.visibilityState === "visible" || isNotifier();

/**
 * Reads an inbox again until its cursor is that of the newest item of the stream. `shown`: the cursor of the inbox that is
 * shown; `undefined`: it is being read, `null`: it could not be read. A hidden tab waits until it is seen, unless it is the one
 * that notifies.
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
