import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { heightOf, isScaled, lineAt, offsetOf, ROW } from "./scroll.ts";

/** A view that is this near to the end follows it. */
const NEAR_END = ROW * 2;

/** Where a view of a log is: the line at its upper edge, and whether it follows the end. */
export interface View {
  /** The line at the upper edge. */
  readonly upper: number;
  /** Where the view is scrolled to, and its height, in pixels. */
  readonly top: number;
  readonly height: number;
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
  /** Brings a line into sight, with some lines before it. */
  readonly showLine: (line: number) => void;
  readonly onScroll: () => void;
}

/** Lines that are kept in sight above one that was looked for. */
const CONTEXT = 4;

/** Where a view of `height` is that shows the end of the lines. */
function endOf(last: number, height: number): { upper: number; top: number; height: number } {
  const top = Math.max(0, heightOf(last) - height);
  return { upper: lineAt(top, last, height), top, height };
}

/**
 * Keeps the place of a view while lines arrive. Where the sheet is scaled, a place of the scrollbar means another line
 * after each arrival: the view is moved so that the line at its edge stays there. A view that follows computes its place:
 * to read it would take a layout and a second rendering of all rows for each arrival.
 */
export function useView(
  element: RefObject<HTMLDivElement | null>,
  { last, isOpen, asked }: { last: number; isOpen: boolean; asked: number | null },
): View {
  const [place, setPlace] = useState({ upper: 1, top: 0, height: 600 });
  const [follows, setFollows] = useState(asked === null);
  // The line that the view was moved to by this code, and where that was: a person's own scroll ends it.
  const held = useRef<{ line: number; top: number } | null>(null);
  const wanted = useRef(asked);
  const read = (view: HTMLDivElement): void => {
    const { scrollTop: top, clientHeight: height } = view;
    if (held.current !== null && held.current.top !== top) held.current = null;
    const upper = held.current?.line ?? lineAt(top, last, height);
    setPlace((former) =>
      former.upper === upper && former.top === top && former.height === height ? former : { upper, top, height },
    );
  };
  const move = (view: HTMLDivElement, line: number): void => {
    view.scrollTo({ top: offsetOf(line, last, view.clientHeight) });
    // A browser rounds the place, and cannot scroll beyond the end.
    held.current = { line, top: view.scrollTop };
    read(view);
  };
  const settle = useEffectEvent(() => {
    const view = element.current;
    if (view === null || !isOpen) return;
    if (wanted.current !== null && last > 0) {
      move(view, Math.max(1, Math.min(wanted.current, last) - CONTEXT));
      wanted.current = null;
    } else if (follows) {
      held.current = null;
      view.scrollTo({ top: heightOf(last) });
    } else if (isScaled(last)) move(view, place.upper);
  });
  // Only a new end of the log moves a view, or the wish to follow it.
  useLayoutEffect(() => settle(), [follows, isOpen, last]);
  // A browser may forget the place of a view while the log is hidden.
  const restore = useEffectEvent(() => {
    if (!follows && element.current !== null) element.current.scrollTo({ top: place.top });
  });
  useLayoutEffect(() => restore(), []);
  const measure = useEffectEvent(read);
  useLayoutEffect(() => {
    const view = element.current;
    if (view === null) return undefined;
    measure(view);
    const observer = new ResizeObserver(() => measure(view));
    observer.observe(view);
    return () => observer.disconnect();
  }, [element]);
  return {
    ...(follows && isOpen ? endOf(last, place.height) : place),
    follows,
    setFollows(wish) {
      if (!wish && element.current !== null) read(element.current);
      setFollows(wish);
    },
    showLine(line) {
      setFollows(false);
      if (element.current !== null) move(element.current, Math.max(1, line - CONTEXT));
    },
    onScroll() {
      const view = element.current;
      if (view === null) return;
      const below = heightOf(last) - view.scrollTop - view.clientHeight;
      if (follows && below <= NEAR_END) return;
      setFollows(false);
      read(view);
    },
  };
}
