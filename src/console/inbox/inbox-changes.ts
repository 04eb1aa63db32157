/** Announces that the inbox may have changed: the streams of the page note it here, and views of the inbox read again. */
const listeners = new Set<() => void>();
/** A bulk operation changes hundreds of runs in a second: they are announced together. */
const TOGETHER_MS = 300;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Kinds of items after which the inbox may be another one. */
const KINDS = ["RunStatusChanged", "ApprovalRecorded", "ApprovalWithdrawn", "PlanReady", "WorkspaceChanged"];

/** Notes an item of a stream. */
export function noteItem(kind: string): void {
  if (!KINDS.includes(kind) || timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    for (const listener of listeners) listener();
  }, TOGETHER_MS);
}

/** Calls back at each announcement, until the returned function is called. */
export function onInboxChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
