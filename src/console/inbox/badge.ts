/** Shows a number on the icon of the page, where the browser has installed it. */
export function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  // A page that is not installed has no icon for it: the browser refuses, and nothing is lost.
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  shown.catch(() => undefined);
}
