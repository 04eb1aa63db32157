import { readFile } from "node:fs/promises";
import { request as ask } from "node:http";
import { createContext, runInContext } from "node:vm";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { fakeCaller } from "../support/fake-domain.ts";
import { createTestGraphql } from "../support/graphql.ts";

/** As browsers send it with a navigation. */
const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const QUERY = "/graphql?query=%7Bviewer%7Brole%7D%7D";
let server: HttpServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer(
    {
      graphql: createTestGraphql().graphql,
      ingestion: () => undefined,
      authenticate: (secret) => Promise.resolve(secret === "valid" ? fakeCaller : null),
      recheck: () => Promise.resolve(null),
      isReady: () => Promise.resolve(true),
      reportError: () => "",
    },
    { host: "127.0.0.1", port: 0 },
  );
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url + path, { headers: { accept: HTML, ...headers } });

/** Everything that the page loads, directly or as a worker. */
async function filesOfPage(): Promise<string[]> {
  const page = await (await open("/graphql")).text();
  return [...page.matchAll(/(?:src|href|data-[\w-]+)="([^"]+)"/g)].map(([, path = ""]) => path);
}

interface RawAnswer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: Buffer;
}

/** As it comes: `fetch` would undo the compression. */
function raw(path: string, headers: Record<string, string>, method = "GET"): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = ask(url + path, { headers, method }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => {
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) });
      });
    });
    sent.on("error", reject).end();
  });
}

describe("the page", () => {
  it.each(["/graphql", QUERY, `${QUERY}&variables=%7B%7D`])(
    "is what a browser gets at %s, without a token",
    async (path) => {
      const page = await open(path);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const html = await page.text();
      expect(html).toContain("<title>Holdpoint</title>");
      expect(html.length).toBeLessThan(4096);
    },
  );

  it("is not what programs get, which need a token to execute something", async () => {
    for (const accept of ["*/*", "application/json", "application/graphql-response+json"]) {
      expect((await open(QUERY, { accept })).status, accept).toBe(401);
    }
    const answer = await open(QUERY, { authorization: "Bearer valid" });
    expect(await answer.json()).toEqual({ data: { viewer: { role: "ADMIN" } } });
    expect((await open(QUERY, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await fetch(`${url}/graphql`, { method: "POST", headers: { accept: HTML } })).status).toBe(401);
  });

  it("runs nothing but its own files, and is shown in no frame", async () => {
    const { headers } = await open("/graphql");
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split("; ").map((part): [string, string] => {
        const [name = "", ...values] = part.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
    });
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    // The address holds a query.
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const html = await (await open("/graphql")).text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/\son\w+=|<style|javascript:/);
  });

  it("needs nothing from elsewhere", async () => {
    const files = await filesOfPage();
    expect(files).toHaveLength(7);
    for (const file of files) expect(file).toMatch(/^\/graphiql\/[0-9a-f]{16}\/[\w.-]+$/);
  });
});

describe("the files of the page", () => {
  it("are kept by browsers for ever, and travel compressed", async () => {
    let bytes = 0;
    for (const path of await filesOfPage()) {
      const plain = await raw(path, {});
      const gzip = await raw(path, { "accept-encoding": "gzip, deflate" });
      const zstd = await raw(path, { "accept-encoding": "gzip, deflate, br, zstd" });
      for (const [answer, coding] of [
        [plain, undefined],
        [gzip, "gzip"],
        [zstd, "zstd"],
      ] as const) {
        expect([answer.status, answer.headers["content-encoding"]], path).toEqual([200, coding]);
        expect(answer.headers).toMatchObject({
          "cache-control": "public, max-age=31536000, immutable",
          vary: "Accept-Encoding",
          "x-content-type-options": "nosniff",
          "content-length": String(answer.body.length),
        });
      }
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(zstdDecompressSync(zstd.body).equals(plain.body)).toBe(true);
      expect(new Set([plain, gzip, zstd].map(({ headers }) => headers["etag"])).size).toBe(3);
      bytes += gzip.body.length;
    }
    expect(bytes).toBeLessThan(3 * 1024 * 1024);
  });

  it("are not sent again to a browser that asks whether they are still good", async () => {
    const [path = ""] = await filesOfPage();
    const { headers } = await raw(path, { "accept-encoding": "gzip" });
    const again = await raw(path, { "accept-encoding": "gzip", "if-none-match": String(headers["etag"]) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await raw(path, { "accept-encoding": "gzip" }, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([
      200,
      headers["content-length"],
      0,
    ]);
  });

  it("are these alone, and can only be read", async () => {
    const [path = ""] = await filesOfPage();
    expect((await raw("/graphiql/0000000000000000/start.js", {})).status).toBe(404);
    expect((await raw("/graphiql/../server.ts", {})).status).toBe(404);
    const posted = await raw(path, {}, "POST");
    expect([posted.status, posted.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("the script of the page", () => {
  /** Runs it without a browser, and gives what it passes to GraphiQL. */
  async function run(session: () => Promise<object> = () => Promise.reject(new Error("offline"))) {
    const keys: object[] = [];
    const timers: (() => void)[] = [];
    const ready: (() => void)[] = [];
    const render = vi.fn<(root: unknown, options: Record<string, (text?: string) => void>) => void>();
    const shown: Record<string, unknown>[] = [];
    const createElement = () => {
      const element = { style: {}, append: () => undefined, addEventListener: () => undefined };
      shown.push(element);
      return element;
    };
    const dataset = { editorWorkerService: "/e", json: "/j", graphql: "/g" };
    const window = {
      document: {
        currentScript: { dataset },
        createElement,
        body: { append: () => undefined },
        querySelector: (selector: string) => selector,
        addEventListener: (_name: string, listener: () => void) => ready.push(listener),
      },
      window: { dispatchEvent: (event: object) => keys.push(event) },
      KeyboardEvent: class {
        constructor(type: string, more: object) {
          Object.assign(this, { type, ...more });
        }
      },
      YogaGraphiQL: { renderYogaGraphiQL: render },
      self: {} as { MonacoEnvironment?: { getWorkerUrl(module: string, label: string): string } },
      fetch: session,
      setTimeout: (work: () => void) => timers.push(work),
      clearTimeout: (timer: number | undefined) => (timer === undefined ? [] : timers.splice(timer - 1, 1)),
    };
    runInContext(
      await readFile(new URL("../../src/http/graphiql/start.js", import.meta.url), "utf8"),
      createContext(window),
    );
    for (const listener of ready) listener();
    // It first asks whether the browser is signed in.
    await vi.waitFor(() => expect(render).toHaveBeenCalled());
    const options = render.mock.calls[0]?.[1];
    if (options === undefined) throw new Error("GraphiQL was not shown.");
    const texts = shown.flatMap(({ textContent }) => (typeof textContent === "string" ? [textContent] : []));
    return { keys, timers, options, texts, workers: window.self.MonacoEnvironment };
  }

  it("fetches the schema after the token was entered, until it is there", async () => {
    const { keys, timers, options } = await run();
    options["onEditHeaders"]?.('{ "Authorization": "Bearer t" }');
    options["onEditHeaders"]?.('{ "Authorization": "Bearer token" }');
    expect(timers).toHaveLength(1);
    timers[0]?.();
    expect(keys).toEqual([{ type: "keydown", key: "R", ctrlKey: true }]);
    options["onSchemaChange"]?.();
    options["onEditHeaders"]?.('{ "Authorization": "Bearer another" }');
    expect(timers).toHaveLength(0);
  });

  it("has the addresses of the editor's workers", async () => {
    const { workers } = await run();
    const labels = ["editorWorkerService", "json", "graphql"];
    expect(labels.map((label) => workers?.getWorkerUrl("", label))).toEqual(["/e", "/j", "/g"]);
  });

  it.each([
    ["is signed in", { actor: { id: "usr_1", name: "Ann" } }, "{}", ["Ann", "Sign out"]],
    [
      "is not signed in",
      { actor: null },
      JSON.stringify({ Authorization: "Bearer <token>" }, null, 2),
      ["Not signed in", "Sign in"],
    ],
  ])("fills in the headers for a browser that %s, and shows so", async (_name, answer, headers, shown) => {
    const { options, texts } = await run(async () => ({ ok: true, json: async () => answer }));
    expect(options["headers"]).toBe(headers);
    expect(texts).toEqual(shown);
  });
});
