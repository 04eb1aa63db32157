import { useCallback, useEffect, useRef } from "react";

/** Events come in crowds: a page that is read again after each would ask all the time. */
const WITHIN_MS = 1000;

/** Gives a function that reads a page again, once for all of its calls within a second. */
export function useReread(read: () => void): () => void {
  const newest = useRef(read);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    newest.current = read;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      newest.current();
    }, WITHIN_MS);
  }, []);
}
