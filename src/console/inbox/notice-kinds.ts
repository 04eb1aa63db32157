/** The kinds of notifications, and what an item of an inbox is a notification of. Pure: no page, no browser. */

export const NOTICE_KINDS = ["ASKED", "ESCALATED", "FAILED", "STATE_UNKNOWN"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The event of each kind, behind "Notify me when". */
export const NOTICE_WORDS: Readonly<Record<NoticeKind, string>> = {
  ASKED: "a run waits for me",
  ESCALATED: "a run is escalated",
  FAILED: "my run fails",
  STATE_UNKNOWN: "a state is not known",
};

/** An item of an inbox, as far as its kind needs it. */
export interface NoticedItem {
  readonly reason: string;
  readonly run: { readonly isTerminal: boolean; readonly escalatedAt?: string | null };
}

/** Gives the kind of an item; `null` if it is no reason to notify. */
export function noticeKindOf({ reason, run }: NoticedItem): NoticeKind | null {
  if (reason === "STATE_UNKNOWN" || reason === "RECOVERED_STATE") return "STATE_UNKNOWN";
  if (reason === "YOUR_RUN") return run.isTerminal ? "FAILED" : null;
  if (reason === "ESCALATED" || (reason === "YOUR_APPROVAL" && run.escalatedAt != null)) return "ESCALATED";
  return reason === "YOUR_APPROVAL" ? "ASKED" : null;
}

/** Reads a choice of kinds as it is kept. */
export function readKinds(text: string | null): NoticeKind[] {
  const names = (text ?? "").split(",");
  return NOTICE_KINDS.filter((kind) => names.includes(kind));
}

export const writeKinds = (kinds: readonly NoticeKind[]): string => kinds.join(",");
