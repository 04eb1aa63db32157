/** Notifications of the browser about the inbox of the viewer. Each kind is off until a person switches it on. */
import { keep, readKept } from "../parts/kept.ts";
import { visible } from "../parts/visible.ts";
import type { AskedQuery } from "../generated/graphql.ts";
import { type NoticeKind, noticeKindOf, readKinds, writeKinds } from "./notice-kinds.ts";
import { newlyAsked, type Reading } from "./newly-asked.ts";

type AskedItem = AskedQuery["viewer"]["inbox"]["edges"][number]["node"];

const KEY = "holdpoint-notify";
const LOCK = "holdpoint-notify";

/** Whether notifications can be sent. `unsupported`: the browser has none, or the site is not secure. `denied`: the person has forbidden them. */
export type NotifyState = "possible" | "denied" | "unsupported";

export function notifyState(): NotifyState {
  if (!("Notification" in globalThis)) return "unsupported";
  return Notification.permission === "denied" ? "denied" : "possible";
}

/** Reads the kinds that are switched on. */
export function notifiedKinds(): readonly NoticeKind[] {
  const isGranted = "Notification" in globalThis && Notification.permission === "granted";
  return isGranted ? readKinds(readKept(KEY)) : [];
}

/** Switches the kinds of notifications; the browser asks the person where it has not yet. Gives the kinds that are on. */
export async function switchNotify(kinds: readonly NoticeKind[]): Promise<readonly NoticeKind[]> {
  if (kinds.length === 0) keep(KEY, null);
  else if ((await Notification.requestPermission()) === "granted") keep(KEY, writeKinds(kinds));
  return notifiedKinds();
}

let isLeader = false;

/** Makes one tab of the browser the one that notifies: the next takes over when it is closed. */
export function electNotifier(): void {
  if (!("locks" in navigator)) return;
  void navigator.locks.request(LOCK, () => {
    isLeader = true;
    // The lock is held as long as the tab lives.
    return new Promise(() => undefined);
  });
}

/** Whether this tab is the one that notifies, and has notifications to send. */
export const isNotifier = (): boolean => isLeader && notifiedKinds().length > 0;

let former: Reading<AskedItem> | null = null;

/** Notifies of the items of the inbox that are new since the last call, by their kinds, unless the page is in sight. */
export function notifyOf(now: Reading<AskedItem>): void {
  const { runs, count } = newlyAsked(former, now);
  former = now;
  if (document.visibilityState === "visible" || !isNotifier()) return;
  const kinds = notifiedKinds();
  for (const item of runs) {
    const kind = noticeKindOf(item);
    if (kind === null || !kinds.includes(kind)) continue;
    const { id, number, workspace, message } = item.run;
    show(TITLES[kind](`${workspace.name} #${number}`), {
      // The tag replaces an earlier notification of the run.
      tag: id,
      body: visible(message ?? ""),
      path: `/r/${encodeURIComponent(id)}`,
    });
  }
  if (count !== null && kinds.includes("ASKED"))
    show(`${count} runs wait for you`, { tag: "inbox", body: "", path: "/inbox" });
}

const TITLES: Readonly<Record<NoticeKind, (run: string) => string>> = {
  ASKED: (run) => `${run} waits for you`,
  ESCALATED: (run) => `${run} is escalated`,
  FAILED: (run) => `Your run ${run} has failed`,
  STATE_UNKNOWN: (run) => `The state after ${run} is not known`,
};

function show(title: string, { tag, body, path }: { tag: string; body: string; path: string }): void {
  const shown = new Notification(title, { tag, body });
  shown.addEventListener("click", () => {
    window.focus();
    location.assign(path);
  });
}
