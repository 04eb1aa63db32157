/** Keys that go through the lists of a page: runs, workspaces, changesets, changes of a plan. */

/** Marks the link or the summary of a row where the focus stops. */
const STOP = "main [data-stop]";

/** Does what a key means in lists. Gives whether it means something on this page. */
export function pressInList(key: string): boolean {
  if (key === "j") return moveFocus(1);
  if (key === "k") return moveFocus(-1);
  if (key === "x") return pickRow();
  return key === "/" && focusFilter();
}

/** Moves the focus to the next stop, or to the one before. A focus that is at no stop begins at the first or the last. */
function moveFocus(step: 1 | -1): boolean {
  const stops = Array.from(document.querySelectorAll<HTMLElement>(STOP)).filter((stop) => stop.checkVisibility());
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = at < 0 ? stops.at(step > 0 ? 0 : -1) : stops[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return stops.length > 0;
}

/** Picks the change that has the focus, or picks it no more. */
function pickRow(): boolean {
  const stop = document.activeElement?.closest("[data-stop]");
  const box = stop?.closest("[data-row]")?.querySelector<HTMLElement>("input[type=checkbox]");
  box?.click();
  return box != null;
}

function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  return field !== null;
}
