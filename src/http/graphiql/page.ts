import type { GraphiqlAssets } from "./assets.ts";

/** The page has no script of its own in it. The editor sets styles of elements, which has no other permission. */
const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "worker-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": Object.entries(POLICY)
    .map(([name, value]) => `${name} ${value}`)
    .join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export function renderPage(assets: GraphiqlAssets): string {
  const { start, script, style, icon, editorWorker, jsonWorker, graphqlWorker } = assets;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Holdpoint</title>
    <link rel="icon" href="${icon.path}">
    <link rel="stylesheet" href="${style.path}">
    <script defer src="${start.path}" data-editor-worker-service="${editorWorker.path}" data-json="${jsonWorker.path}"
      data-graphql="${graphqlWorker.path}"></script>
    <script defer src="${script.path}"></script>
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
  </body>
</html>
`;
}
