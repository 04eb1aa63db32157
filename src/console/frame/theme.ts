/** The colors of the pages: those of the system, or those that a person has chosen. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The server reads it, so that the first paint has the chosen colors. */
const COOKIE = "holdpoint-theme";
const YEAR_S = 31_536_000;

/** Gives the colors that the page was sent with, or those that were chosen since. */
export function themeOfPage(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((known) => known === theme) ?? "system";
}

/** Changes the colors of this page, and of all pages that this browser opens. */
export function chooseTheme(theme: Theme): void {
  const isChosen = theme !== "system";
  if (isChosen) document.documentElement.dataset["theme"] = theme;
  else delete document.documentElement.dataset["theme"];
  document.cookie = `${COOKIE}=${theme}; Path=/; SameSite=Lax; Max-Age=${isChosen ? YEAR_S : 0}`;
}
