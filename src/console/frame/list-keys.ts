/** Keys that go through the lists of a page: runs, workspaces, changesets, changes of a plan. */

/** Marks the link or the summary of a row where the focus stops. */
const STOP = "main [data-stop]";
/** Marks the stop that begins a group of rows: a pattern of a plan. */
const GROUP = "main [data-stop=group]";

/** Does what a key means in lists. Gives whether it means something on this page. */
export function pressInList(key: string): boolean {
  if (key === "j") return moveFocus(1);
  if (key === "k") return moveFocus(-1);
  if (key === "]") return moveFocus(1, GROUP);
  if (key === "[") return moveFocus(-1, GROUP);
  if (key === "e") return openRow();
  if (key === "x") return press("pick");
  if (key === "v") return press("seen");
  return key === "/" && focusFilter();
}

/**
 * Moves the focus to the next stop of a kind, or to the one before. A focus that is at no such stop moves to the nearest one in
 * this direction; one that is at no stop at all begins at the first or the last.
 */
function moveFocus(step: 1 | -1, kind = STOP): boolean {
  const stops = Array.from(document.querySelectorAll<HTMLElement>(kind)).filter((stop) => stop.checkVisibility());
  const focused = document.activeElement?.closest(STOP);
  const next = focused == null ? stops.at(step > 0 ? 0 : -1) : nearest(stops, focused, step);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return stops.length > 0;
}

function nearest(stops: readonly HTMLElement[], from: Element, step: 1 | -1): HTMLElement | undefined {
  const wanted = step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const found = stops.filter((stop) => (from.compareDocumentPosition(stop) & wanted) !== 0);
  return found.at(step > 0 ? 0 : -1);
}

/** Opens the attributes of the change that has the focus, or closes them. */
function openRow(): boolean {
  const stop = document.activeElement?.closest<HTMLElement>("summary[data-stop]");
  stop?.click();
  return stop != null;
}

/** Picks the change that has the focus, or marks its pattern as seen; a second time it does so no more. */
function press(box: "pick" | "seen"): boolean {
  const row = box === "pick" ? "[data-row]" : "[data-row=group]";
  const found = document.activeElement?.closest("[data-stop]")?.closest(row);
  const input = found?.querySelector<HTMLElement>(`input[data-box=${box}]`);
  input?.click();
  return input != null;
}

function focusFilter(): boolean {
  const fields = Array.from(document.querySelectorAll<HTMLInputElement>("main input[type=search]"));
  const field = fields.find((found) => found.checkVisibility());
  field?.focus();
  return field !== undefined;
}
