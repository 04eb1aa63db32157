import { useEffect, useEffectEvent } from "react";
import { onInboxChange } from "./inbox-changes.ts";

/** Reads again when a run begins or ends to need people. Many changes at once are one reading. */
export function useInboxReload(reload: () => void): void {
  const read = useEffectEvent(reload);
  useEffect(() => onInboxChange(() => read()), []);
}
