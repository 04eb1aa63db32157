import { useSyncExternalStore } from "react";

function follow(notify: () => void): () => void {
  const query = matchMedia("print");
  query.addEventListener("change", notify);
  return () => query.removeEventListener("change", notify);
}

/** Whether the page is laid out for paper, where no person can ask for more. */
export function useIsPrinted(): boolean {
  return useSyncExternalStore(follow, () => matchMedia("print").matches);
}
