import { pageHeaders } from "../kit/page-headers.ts";
import type { GraphiqlAssets } from "./assets.ts";

/** The page has no script of its own in it. The editor sets styles of elements, which has no other permission. */
const POLICY = {
  "script-src": "'self'",
  "worker-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "form-action": "'self'",
};

export const PAGE_HEADERS = { ...pageHeaders(POLICY), "cache-control": "no-cache" };

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
