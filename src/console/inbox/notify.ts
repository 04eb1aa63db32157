/** Notifications of the browser about runs that wait for the viewer. They are off until a person switches them on. */
import { visible } from "../parts/visible.ts";
import type { AskedQuery } from "../generated/graphql.ts";
import { newlyAsked, type Reading } from "./newly-asked.ts";

type AskedItem = AskedQuery["viewer"]["inbox"]["edges"][number]["node"];

const KEY = "holdpoint-notify";
const LOCK = "holdpoint-notify";

/** `unsupported`: the browser has none, or the site is not secure. `denied`: the person has forbidden them. */
export type NotifyState = "on" | "off" | "denied" | "unsupported";

export function notifyState(): NotifyState {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && localStorage.getItem(KEY) === "on" ? "on" : "off";
}

/** Switches notifications on or off; the browser asks the person where it has not yet. */
export async function switchNotify(isOn: boolean): Promise<NotifyState> {
  if (!("Notification" in globalThis)) return "unsupported";
  if (isOn && (await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  return notifyState();
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
export const isNotifier = (): boolean => isLeader && notifyState() === "on";

let former: Reading<AskedItem> | null = null;

/** Notifies of runs that began to wait for the viewer since the last call, unless the page is in sight. */
export function notifyOf(now: Reading<AskedItem>): void {
  const { runs, count } = newlyAsked(former, now);
  former = now;
  if (document.visibilityState === "visible" || !isNotifier()) return;
  for (const { run } of runs) {
    const { id, number, workspace, message } = run;
    show(`${workspace.name} #${number} waits for you`, {
      // The tag replaces an earlier notification of the run.
      tag: id,
      body: visible(message ?? ""),
      path: `/r/${encodeURIComponent(id)}`,
    });
  }
  if (count !== null) show(`${count} runs wait for you`, { tag: "inbox", body: "", path: "/inbox" });
}

function show(title: string, { tag, body, path }: { tag: string; body: string; path: string }): void {
  const shown = new Notification(title, { tag, body });
  shown.addEventListener("click", () => {
    window.focus();
    location.assign(path);
  });
}
