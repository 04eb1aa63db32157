/** The button of a page that opened a dialog. */

/** A button that opened a dialog, as it was then: the page may lose any part of it while the dialog is open. */
export interface Opener {
  /** The address of the page. */
  readonly address: string;
  /** The button, and the elements around it from the inside out. */
  readonly path: readonly Element[];
  /** The row or the section of the object that the button belongs to; `null` if that is the whole page. */
  readonly item: Element | null;
  /** The part of the page that lists such objects; `null` if there is none. */
  readonly list: Element | null;
}

/** The part that a page has lost: the row or section of an object out of its list, or else the button, for another reason. */
export type Lost = "BUTTON" | "ITEM";

const addressNow = (): string => location.pathname + location.search;

/** Notes a button and what is around it. */
export function openerOf(button: Element): Opener {
  const path: Element[] = [];
  for (let at: Element | null = button; at !== null; at = at.parentElement) path.push(at);
  const item = button.closest("tr, li, details, section");
  const list = item?.parentElement?.closest("section, main") ?? null;
  return { address: addressNow(), path, item, list };
}

/** Gives what the page has lost when its button is gone; `null` if the person has left the page. */
export function lostOf({ address, item, list }: Opener): Lost | null {
  if (addressNow() !== address) return null;
  return item?.isConnected === false && list?.isConnected === true ? "ITEM" : "BUTTON";
}

/**
 * Moves the focus to the heading of the list or of the page, if the button that would get it is gone. The button that has the
 * focus again may go a moment later, with the entry that was deleted: then it moves as well, and the page does not scroll.
 */
export function returnFocus(opener: Opener): void {
  const [button] = opener.path;
  if (button?.isConnected !== true) return focusHeading(opener);
  if (button !== document.activeElement) return;
  const removals = new MutationObserver(() => {
    if (button.isConnected) return;
    removals.disconnect();
    if (document.activeElement === document.body) focusHeading(opener, { preventScroll: true });
  });
  removals.observe(document.body, { childList: true, subtree: true });
  // A button that is removed may lose the focus first.
  const onBlur = (): void => queueMicrotask(() => button.isConnected && removals.disconnect());
  button.addEventListener("blur", onBlur, { once: true });
}

function focusHeading({ path }: Opener, options: FocusOptions = {}): void {
  const place = path.find((element) => element.isConnected)?.closest<HTMLElement>("section, main");
  const target = place?.querySelector<HTMLElement>("h1, h2, h3") ?? place;
  if (target == null) return;
  target.tabIndex = -1;
  target.focus(options);
}
