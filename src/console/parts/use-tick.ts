import { useEffect, useRef } from "react";
import { onReturn } from "./returns.ts";
import { useNow } from "./time.tsx";

/** Calls back every ten seconds while a person sees the page, and when the person comes back to it. */
export function useTick(onTick: () => void): void {
  const now = useNow();
  const newest = useRef(onTick);
  const first = useRef(now);
  useEffect(() => {
    newest.current = onTick;
  });
  useEffect(() => {
    if (now !== first.current && document.visibilityState === "visible") newest.current();
  }, [now]);
  useEffect(() => onReturn(() => newest.current()), []);
}
