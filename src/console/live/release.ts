/** Notices that the server has another release of the console than this tab. */
import { createListeners } from "../parts/listeners.ts";
import { linkStatus, onLink } from "./link.ts";

let ofTab: string | null = null;
let isOther = false;
const listeners = createListeners();

/** Reads the tag of the page: it changes with each release. */
async function readTag(): Promise<string | null> {
  const answer = await fetch("/login", { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer?.ok === true ? answer.headers.get("etag") : null;
}

async function compare(): Promise<void> {
  const tag = await readTag();
  if (tag === null) return;
  ofTab ??= tag;
  if (tag === ofTab || isOther) return;
  isOther = true;
  listeners.notify();
}

/** Compares now and after each lost connection: a server that was updated has closed the old ones. */
export function watchRelease(): void {
  let wasLive = false;
  onLink(() => {
    const isLive = linkStatus().state === "LIVE";
    if (isLive && !wasLive) void compare();
    wasLive = isLive;
  });
}

/** Whether the server has another release than this tab. */
export const hasOtherRelease = (): boolean => isOther;

export const onRelease = listeners.subscribe;
