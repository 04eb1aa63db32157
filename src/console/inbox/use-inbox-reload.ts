import { useEffect } from "react";
import { useReread } from "../parts/use-reread.ts";
import { inboxChanges } from "./inbox-changes.ts";
import { isNotifier } from "./notify.ts";

/** Whether the inbox of this tab is of use now: it is seen, or notifications depend on it. */
const isUsed = (): boolean => document.visibilityState === "visible" || isNotifier();

/** Reads an inbox again after changes. A tab that is hidden reads when it is seen again, but for the one that notifies. */
export function useInboxReload(reload: () => void): void {
  const reread = useReread(reload);
  useEffect(() => {
    let isOld = false;
    const read = (): void => {
      isOld = !isUsed();
      if (!isOld) reread();
    };
    const wake = (): void => {
      if (isOld) read();
    };
    const stop = inboxChanges.subscribe(read);
    document.addEventListener("visibilitychange", wake);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", wake);
    };
  }, [reread]);
}
