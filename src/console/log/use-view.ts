import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { heightOf, isScaled, lineAt, offsetOf, ROW } from "./scroll.ts";
import { placeRows, upperOfEnd } from "./wrapped-rows.ts";

/** A view that is this near to the end follows it. */
const NEAR_END = ROW * 2;

/** Rows beyond the edges of the view, so that a short scroll shows no gap. */
const OVERSCAN = 10;

/** Where a view of a log is: the line at its upper edge, and whether it follows the end. */
export interface View {
  /** The line at the upper edge. */
  readonly upper: number;
  /** The lines that are drawn. */
  readonly first: number;
  readonly end: number;
  /** The height of the sheet, and how far down its rows are drawn; `null`: the view places them. In pixels. */
  readonly sheetHeight: number;
  readonly shift: number | null;
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
  /** Brings a line into sight, with some lines before it, or as many as `context` states. */
  readonly showLine: (line: number, context?: number) => void;
  readonly onScroll: () => void;
}

interface ViewOptions {
  readonly last: number;
  readonly isOpen: boolean;
  /** The line to begin at; `null`: the end. */
  readonly asked: number | null;
  /** Whether long lines are wrapped, so that rows differ in height. */
  readonly wraps: boolean;
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
 *
 * Where lines are wrapped, the scrollbar still counts lines, and the rows are placed when their heights are known. The sheet is
 * higher by a view, so that the last line can be at its upper edge.
 */
export function useView(
  element: RefObject<HTMLDivElement | null>,
  sheet: RefObject<HTMLDivElement | null>,
  { last, isOpen, asked, wraps }: ViewOptions,
): View {
  const [place, setPlace] = useState({ upper: 1, top: 0, height: 600 });
  const [follows, setFollows] = useState(asked === null);
  // The line that the view was moved to by this code, and where that was: a person's own scroll ends it.
  const held = useRef<{ line: number; top: number; share: number } | null>(null);
  const wanted = useRef(asked);
  const lines = wraps ? last + Math.floor(place.height / ROW) : last;
  const read = (view: HTMLDivElement): void => {
    const { scrollTop: top, clientHeight: height } = view;
    if (held.current !== null && held.current.top !== top) held.current = null;
    const upper = held.current?.line ?? Math.max(1, Math.min(last, lineAt(top, lines, height)));
    setPlace((former) =>
      former.upper === upper && former.top === top && former.height === height ? former : { upper, top, height },
    );
  };
  const move = (view: HTMLDivElement, line: number): void => {
    view.scrollTo({ top: offsetOf(line, lines, view.clientHeight) });
    // A browser rounds the place, and cannot scroll beyond the end.
    held.current = { line, top: view.scrollTop, share: 0 };
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
      if (!wraps) view.scrollTo({ top: heightOf(last) });
    } else if (isScaled(lines)) move(view, place.upper);
  });
  // Only a new end of the log moves a view, or the wish to follow it.
  useLayoutEffect(() => settle(), [follows, isOpen, last, wraps]);
  // A browser may forget the place of a view while the log is hidden.
  const restore = useEffectEvent(() => {
    if (!follows && element.current !== null) element.current.scrollTo({ top: place.top });
  });
  useLayoutEffect(() => restore(), []);
  const { upper, top, height } = follows && isOpen ? endOf(last, place.height) : place;
  const first = Math.max(1, upper - OVERSCAN);
  const placeWrapped = useEffectEvent(() => {
    const [view, rows] = [element.current, sheet.current];
    if (!wraps || view === null || rows === null) return;
    if (follows && isOpen) {
      const { at, share } = upperOfEnd(view, rows);
      // A person who scrolls begins where the view is.
      const line = first + at;
      view.scrollTo({ top: offsetOf(line, lines, view.clientHeight) + (isScaled(lines) ? 0 : share * ROW) });
      held.current = { line, top: view.scrollTop, share };
      placeRows(view, rows, { at, share });
      return;
    }
    const { scrollTop } = view;
    const isHeld = held.current?.top === scrollTop;
    const share = isHeld ? (held.current?.share ?? 0) : isScaled(lines) ? 0 : (scrollTop % ROW) / ROW;
    placeRows(view, rows, { at: upper - first, share });
  });
  useLayoutEffect(() => placeWrapped());
  const measure = useEffectEvent((view: HTMLDivElement) => {
    read(view);
    // Other widths wrap in other places.
    placeWrapped();
  });
  useLayoutEffect(() => {
    const view = element.current;
    if (view === null) return undefined;
    measure(view);
    const observer = new ResizeObserver(() => measure(view));
    observer.observe(view);
    return () => observer.disconnect();
  }, [element]);
  return {
    upper,
    first,
    end: Math.min(last, upper + Math.ceil(height / ROW) + OVERSCAN),
    sheetHeight: heightOf(lines),
    // In a scaled sheet the rows are drawn from where the view is: a pixel there is more than a row.
    shift: wraps ? null : isScaled(last) ? Math.max(0, top - (upper - first) * ROW) : (first - 1) * ROW,
    follows,
    setFollows(wish) {
      if (!wish && element.current !== null) read(element.current);
      setFollows(wish);
    },
    showLine(line, context = CONTEXT) {
      setFollows(false);
      if (element.current !== null) move(element.current, Math.max(1, line - context));
    },
    onScroll() {
      const view = element.current;
      if (view === null) return;
      const isAtEnd = wraps
        ? held.current?.top === view.scrollTop
        : heightOf(last) - view.scrollTop - view.clientHeight <= NEAR_END;
      if (follows && isAtEnd) return;
      setFollows(false);
      read(view);
    },
  };
}
