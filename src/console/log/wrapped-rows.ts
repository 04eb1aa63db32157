/** Places rows of different heights in a view, once the browser has laid them out. */

/** A place within rows. */
export interface RowPlace {
  /** The row, by its place among the rows. */
  readonly at: number;
  /** How much of the row is above the place, from 0 to 1. */
  readonly share: number;
}

/** Moves rows so that a place within them is at the upper edge of the view. */
export function placeRows(view: HTMLElement, rows: HTMLElement, { at, share }: RowPlace): void {
  const [first, row] = [rows.children[0], rows.children[at]];
  if (!(first instanceof HTMLElement) || !(row instanceof HTMLElement)) return;
  moveRows(view, rows, row.offsetTop - first.offsetTop + share * row.offsetHeight);
}

/** Gives the place that is at the upper edge of a view whose lower edge is at the end of the rows. */
export function upperOfEnd(view: HTMLElement, rows: HTMLElement): RowPlace {
  let rest = Math.max(0, rows.offsetHeight - view.clientHeight);
  for (const [at, row] of [...rows.children].entries()) {
    const { height } = row.getBoundingClientRect();
    if (rest < height) return { at, share: rest / height };
    rest -= height;
  }
  return { at: 0, share: 0 };
}

function moveRows(view: HTMLElement, rows: HTMLElement, distance: number): void {
  rows.style.setProperty("transform", `translateY(${view.scrollTop - distance}px)`);
}
