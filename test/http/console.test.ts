/** The pages and files of the console, as the server answers them. The files are a small stand-in for the built ones. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { request as ask } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleFolder } from "../../src/http/console/console-routes.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { createTestGraphql } from "../support/graphql.ts";

const SCRIPT = "console.log('console');".repeat(20);

const stack = new AsyncDisposableStack();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "console-"));
  stack.defer(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<title>Holdpoint</title>");
  await writeFile(join(folder, "built-from.json"), "{}");
  await writeFile(join(folder, "assets/main-1.js"), SCRIPT);
  await writeFile(join(folder, "assets/main-1.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "assets/secret.txt"), "of another kind");
});
afterAll(() => stack.disposeAsync());

async function start(settings: Partial<ConsoleFolder> = {}): Promise<string> {
  const server: HttpServer = stack.use(
    await startHttpServer(
      {
        graphql: createTestGraphql().graphql,
        ingestion: () => undefined,
        authenticate: () => Promise.resolve(null),
        recheck: () => Promise.resolve(null),
        isReady: () => Promise.resolve(true),
        reportError: String,
        console: { folder, built: Promise.resolve(null), site: null, ...settings },
      },
      { host: "127.0.0.1", port: 0 },
    ),
  );
  return `http://127.0.0.1:${server.port}`;
}

async function copyOfFolder(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "console-"));
  stack.defer(() => rm(copy, { recursive: true }));
  await cp(folder, copy, { recursive: true });
  return copy;
}

const open = (url: string): Promise<Response> => fetch(url, { redirect: "manual" });

describe("a page", () => {
  it.each(["/", "/login", "/inbox", "/me", "/r/run_1", "/o/acme", "/o/acme/w/network/runs/12"])(
    "is the same document at %s, and may load its own scripts alone",
    async (path) => {
      const answer = await open((await start()) + path);
      expect([answer.status, await answer.text()]).toEqual([200, "<title>Holdpoint</title>"]);
      const policy = answer.headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'none'",
        "script-src 'self';",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain("unsafe");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    },
  );

  it.each([
    ["holdpoint-theme=dark", '<html data-theme="dark" lang="en">'],
    ["a=b; holdpoint-theme=light", '<html data-theme="light" lang="en">'],
    ["holdpoint-theme=%22%3E%3Cscript%3E", '<html lang="en">'],
    ["", '<html lang="en">'],
  ])("has the chosen colors before scripts run: %s", async (cookie, begin) => {
    const own = await copyOfFolder();
    await writeFile(join(own, "index.html"), '<html lang="en"></html>');
    const answer = await fetch(await start({ folder: own }), { headers: { cookie } });
    expect(await answer.text()).toBe(`${begin}</html>`);
    expect(answer.headers.get("vary")).toContain("Cookie");
  });

  it("has a tag by which an open tab notices another release", async () => {
    const tagOf = async (folderOfRelease: string): Promise<string | null> =>
      (await fetch(await start({ folder: folderOfRelease }), { method: "HEAD" })).headers.get("etag");
    const own = await copyOfFolder();
    await writeFile(join(own, "index.html"), "<title>Holdpoint</title> of another release");
    expect(await tagOf(folder)).toBe(await tagOf(folder));
    expect(await tagOf(own)).not.toBe(await tagOf(folder));
  });

  it("is there after its files could not be read once", async () => {
    const own = await copyOfFolder();
    await rm(join(own, "index.html"));
    const url = await start({ folder: own });
    expect((await open(url)).status).toBe(500);
    await writeFile(join(own, "index.html"), "<title>Holdpoint</title>");
    expect((await open(url)).status).toBe(200);
  });

  it.each(["/nothing", "/o", "/o/", "/r/", "/r/a/b", "/inbox/x", "/runs"])("is not at %s", async (path) => {
    expect((await open((await start()) + path)).status).toBe(404);
  });

  it("waits for the files that are being built", async () => {
    const built = Promise.withResolvers<string | null>();
    const url = await start({ built: built.promise });
    const answers = Promise.all([open(url), open(`${url}/login`)]);
    // Another request is answered meanwhile.
    expect((await open(`${url}/readyz`)).status).toBe(200);
    built.resolve(null);
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("asks for patience where that takes long, and then is there", async () => {
    const built = Promise.withResolvers<string | null>();
    const url = await start({ built: built.promise, waitMs: 1 });
    const early = await open(url);
    expect(early.status).toBe(503);
    expect(await early.text()).toContain("The console is being built. Reload this page in a moment.");
    built.resolve(null);
    expect((await open(url)).status).toBe(200);
  });

  it("says why the files could not be built, and where the API is", async () => {
    const answer = await open(await start({ built: Promise.resolve("The console is not built: <b> is missing.") }));
    expect(answer.status).toBe(503);
    expect(await answer.text()).toMatch(/not built: &lt;b&gt; is missing[\s\S]*\/graphql/);
  });

  it.each([
    ["127.0.0.1:4000", "http://localhost:4000", "http://localhost:4000/o/acme?a=b"],
    ["[::1]:4000", "http://localhost:4000", "http://localhost:4000/o/acme?a=b"],
    ["localhost:4000", "http://localhost:4000", null],
    ["127.0.0.1:4000", "https://holdpoint.example.com", null],
    ["evil.example.com", "http://localhost:4000", null],
  ])("opened as %s of %s leads to %s", async (host, origin, location) => {
    const { port } = new URL(await start({ site: { origin, isSecure: false } }));
    const answer = await new Promise<{ status: number | undefined; location: string | undefined }>(
      (resolve, reject) => {
        ask({ port, path: "/o/acme?a=b", headers: { host } }, (response) => {
          response.resume();
          resolve({ status: response.statusCode, location: response.headers.location });
        })
          .on("error", reject)
          .end();
      },
    );
    expect(answer).toEqual(location === null ? { status: 200, location: undefined } : { status: 302, location });
  });
});

describe("a file", () => {
  it("is kept for ever, and comes compressed where the browser takes that", async () => {
    const url = `${await start()}/assets/main-1.js`;
    const { port, pathname } = new URL(url);
    const answer = await new Promise<{ coding: string | undefined; body: Buffer }>((resolve, reject) => {
      ask({ port, path: pathname, headers: { "accept-encoding": "gzip, br" } }, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () =>
          resolve({ coding: response.headers["content-encoding"], body: Buffer.concat(pieces) }),
        );
      })
        .on("error", reject)
        .end();
    });
    expect([answer.coding, brotliDecompressSync(answer.body).toString()]).toEqual(["br", SCRIPT]);
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    expect([await plain.text(), plain.headers.get("cache-control")]).toEqual([
      SCRIPT,
      "public, max-age=31536000, immutable",
    ]);
    expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  it.each(["nothing.js", "secret.txt", "main-1.js.br", "..%2findex.html", "../index.html"])(
    "%s is not one",
    async (name) => {
      expect((await open(`${await start()}/assets/${name}`)).status).toBe(404);
    },
  );
});
