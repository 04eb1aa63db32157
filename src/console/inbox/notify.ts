/** Notifications of the browser about runs that wait for the viewer. They are off until a person switches them on. */
import { visible } from "../parts/visible.ts";
import type { AskedQuery } from "../generated/graphql.ts";

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

/** The items that were there at the last reading; `null`: nothing was read yet, so nothing is new. */
let known: ReadonlySet<string> | null = null;

/** Notifies of runs that began to wait for the viewer since the last call, unless the page is in sight. */
export function notifyOf(items: readonly AskedItem[]): void {
  const former = known;
  known = new Set(items.map(keyOf));
  if (former === null || document.visibilityState === "visible" || !isNotifier()) return;
  for (const item of items) if (!former.has(keyOf(item))) show(item);
}

/** A run that waits at another gate, or with another plan, asks again. */
const keyOf = ({ run, since }: AskedItem): string => `${run.id} ${since}`;

function show({ run: { id, number, workspace, message } }: AskedItem): void {
  const title = `${workspace.name} #${number} waits for you`;
  // The tag replaces an earlier notification of the run.
  const shown = new Notification(title, { tag: id, body: visible(message ?? "") });
  shown.addEventListener("click", () => {
    window.focus();
    location.assign(`/r/${encodeURIComponent(id)}`);
  });
}
