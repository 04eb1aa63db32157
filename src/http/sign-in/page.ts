import { pageHeaders } from "../kit/page-headers.ts";

const POLICY = {
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self' data:",
  "form-action": "'self'",
};

export const SIGN_IN_HEADERS = { ...pageHeaders(POLICY), "cache-control": "no-store" };

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes a text safe within HTML, also within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** Two bars, as on a button that holds something. */
const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="7" fill="currentColor"/>
        <path d="M10.5 8.5v11M17.5 8.5v11" stroke="var(--on-brand)" stroke-width="3.5" stroke-linecap="round"/></svg>`;

/** Renders a page. `body` is HTML. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} - Holdpoint</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/auth/style.css">
  </head>
  <body>
    <header>${MARK}Holdpoint</header>
    <main>
      <h1>${escapeHtml(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`;
}
