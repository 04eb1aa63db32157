/** The console in a browser: one page for all of its paths, and the files that the page loads. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { pageHeaders } from "../kit/page-headers.ts";
import type { Site } from "../kit/site.ts";
import { HttpError } from "../route/failure.ts";
import { openRoute, type Route } from "../route/route.ts";
import { escapeHtml } from "../sign-in/page.ts";
import { type BuiltFile, readBuiltFiles } from "./built-files.ts";
import { type ConsolePage, createConsolePage } from "./console-page.ts";

/** Where the built console is, and where browsers are to open it. */
export interface ConsoleFolder {
  readonly folder: string;
  /** Settles when the files are up to date; gives the problem, for a person, where they could not be built. */
  readonly built: Promise<string | null>;
  /** How long a page waits for its files; absent: 30 s. */
  readonly waitMs?: number;
  /** The address at which people can sign in; `null`: no one can. */
  readonly site: Site | null;
}

/** The paths that open the console. Others stay 404, so that a wrong address of the API is not answered by a page. */
const PAGES = ["/", "/login", "/inbox", "/me", "/r/:id", "/o/:organization", "/o/:organization/*"];

/**
 * The page loads its own scripts alone, and no text can become a script: Trusted Types refuse it, also where a library
 * has a defect, and no script can make an exception.
 */
const POLICY = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "form-action": "'self'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};
const PAGE_HEADERS = { ...pageHeaders(POLICY), "cache-control": "no-cache" };
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
/** It is not refreshed automatically: browsers take an address with a fragment, such as that of a sign-in, for the open page. */
const BUILDING = page("The console is being built. Reload this page in a moment.");
const WAIT_MS = 30_000;

interface LoadedFiles {
  readonly page: ConsolePage;
  readonly assets: ReadonlyMap<string, BuiltFile>;
}

/** Creates the routes of the console. */
export function createConsoleRoutes({ folder, built, site, waitMs = WAIT_MS }: ConsoleFolder): Route[] {
  let problem: string | null = null;
  let files: Promise<LoadedFiles> | null = null;
  let isBuilding = true;
  void built.then((found) => {
    isBuilding = false;
    problem = found;
  });
  const load = (): Promise<LoadedFiles> => (files ??= readOnce());
  const readOnce = async (): Promise<LoadedFiles> => {
    try {
      const { page: built, assets } = await readBuiltFiles(folder);
      return { page: createConsolePage(built), assets };
    } catch (error) {
      // The next request reads again: a folder may be swapped at this moment.
      files = null;
      throw error;
    }
  };
  const answerPage = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isBuilding) await settled(built, waitMs);
    if (response.destroyed) return;
    if (isBuilding) return send(response, 503, BUILDING);
    if (problem !== null) return send(response, 503, page(escapeHtml(problem)));
    const { page: current } = await load();
    response.setHeader("etag", current.etag).setHeader("vary", "Cookie");
    send(response, 200, current.for(request));
  };
  return [
    ...PAGES.map((path) =>
      openRoute({
        path,
        methods: ["GET", "HEAD"],
        cors: false,
        handler: ({ request, response }) => {
          const own = ownAddress(site, request);
          if (own === null) return answerPage(request, response);
          return void response.writeHead(302, { location: own, "cache-control": "no-store" }).end();
        },
      }),
    ),
    openRoute({
      path: "/assets/:file",
      methods: ["GET", "HEAD"],
      cors: false,
      async handler({ request, response, parameter }) {
        const file = isBuilding || problem !== null ? undefined : (await load()).assets.get(parameter("file"));
        if (file === undefined) throw new HttpError(404, "NOT_FOUND", "The file does not exist. Reload the page.");
        sendFile(file, request, response);
      },
    }),
  ];
}

/** Waits until a promise settles, at most for a time. */
async function settled(promise: Promise<unknown>, atMostMs: number): Promise<void> {
  const end = new AbortController();
  await Promise.race([promise, pause(atMostMs, null, { signal: end.signal, ref: false }).catch(() => null)]);
  end.abort();
}

/**
 * Gives the address of the same page at the site, if the browser came by another name of this machine: a session of
 * `localhost` is none of `127.0.0.1`. `null`: the page is opened where it is.
 */
function ownAddress(site: Site | null, { headers, url }: IncomingMessage): string | null {
  const { host } = headers;
  if (site === null || host === undefined || !LOOPBACK.test(host)) return null;
  const { host: own, origin } = new URL(site.origin);
  return host === own || !LOOPBACK.test(own) ? null : new URL(url ?? "/", origin).href;
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, PAGE_HEADERS).end(body);
}

/** The names of the files change with their content, so they are kept for ever. */
function sendFile({ type, bytes, br, gzip }: BuiltFile, request: IncomingMessage, response: ServerResponse): void {
  const accepted = (request.headers["accept-encoding"]?.toString() ?? "").split(",").map((coding) => coding.trim());
  const [coding, body] =
    br !== undefined && accepted.includes("br")
      ? (["br", br] as const)
      : gzip !== undefined && accepted.includes("gzip")
        ? (["gzip", gzip] as const)
        : ([null, bytes] as const);
  if (coding !== null) response.setHeader("content-encoding", coding);
  response.writeHead(200, {
    "content-type": type,
    "content-length": body.length,
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "same-origin",
    vary: "Accept-Encoding",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A page that needs no built file. */
function page(text: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Holdpoint</title>
    <link rel="stylesheet" href="/auth/style.css">
  </head>
  <body>
    <main>
      <h1>Holdpoint</h1>
      <p>${text}</p>
      <p>The API is at <a href="/graphql">/graphql</a>.</p>
    </main>
  </body>
</html>
`;
}
