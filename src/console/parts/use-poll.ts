import { useEffect } from "react";

const EACH_MS = 1000;

/** Reads again each second while something is at work that has no events. */
export function usePoll(isAtWork: boolean, read: () => void): void {
  useEffect(() => {
    if (!isAtWork) return undefined;
    const timer = setInterval(read, EACH_MS);
    return () => clearInterval(timer);
  }, [isAtWork, read]);
}
