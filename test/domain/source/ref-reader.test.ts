import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRefReader } from "../../../src/domain/source/ref-reader.ts";
import type { RefReader } from "../../../src/domain/kit/ref-reader.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { type GitServer, startGitServer, startRedirect, TestRepository } from "../../support/git.ts";

const ALLOWED = [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }] as const;
const TOKEN = { type: "TOKEN", username: "ann", token: "canary-token" } as const;
const NONE = { type: "NONE" } as const;
const MAIN = { branches: ["main"], tags: false };

let root: string;
let repository: TestRepository;
let server: GitServer;
let reader: RefReader;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "holdpoint-refs-"));
  repository = new TestRepository(join(root, "repository"));
  repository.commit({ "main.tf": "" });
  repository.git("branch", "main-2");
  repository.git("branch", "release/1.0");
  repository.git("tag", "v1");
  repository.git("tag", "--annotate", "--message=x", "v2");
  server = await startGitServer(root, "ann", "canary-token");
  reader = await openReader();
});
afterAll(async () => {
  await reader[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const openReader = (options: object = {}): Promise<RefReader> =>
  createRefReader({
    folder: join(root, "..", `refs-of-${process.pid}-${Math.random()}`),
    sourceRoots: [root],
    inherited: { PATH: process.env["PATH"] ?? "", SSL_CERT_FILE: server.certificateFile },
    limits: { ...LIMITS, refReadMs: 10_000 },
    allowed: ALLOWED,
    ...options,
  });
const url = () => `${server.url}/repository/.git`;
const head = () => repository.git("rev-parse", "HEAD");
const refsOf = (commits: ReadonlyMap<string, string>) => Object.fromEntries(commits);

describe.each([
  ["https, by one request", () => url(), "main"],
  ["the disk, by git", () => `file://${root}/repository`, null],
] as const)("a repository over %s", (_words, address, defaultBranch) => {
  const credentialOf = () => (address().startsWith("https") ? TOKEN : NONE);
  const read = (wanted: Parameters<RefReader["read"]>[2]) => reader.read(address(), credentialOf(), wanted);

  it("shows the branches that are wanted, and no others", async () => {
    const refs = await read({ branches: ["main", "release/1.0", "absent"], tags: false });
    expect(refsOf(refs.commits)).toEqual({ "refs/heads/main": head(), "refs/heads/release/1.0": head() });
    expect(refs.defaultBranch).toBe(defaultBranch);
  });

  it("shows the commits of tags", async () => {
    const { commits } = await read({ branches: [], tags: true });
    expect(refsOf(commits)).toEqual({ "refs/tags/v1": head(), "refs/tags/v2": head() });
  });

  it("shows a push, a forced one and a deletion", async () => {
    const commitOf = async () => (await read(MAIN)).commits.get("refs/heads/main");
    const before = head();
    const pushed = repository.commit({ "main.tf": "a" });
    expect(await commitOf()).toBe(pushed);
    repository.git("reset", "--quiet", "--hard", before);
    expect(await commitOf()).toBe(before);
  });
});

it("sends the credential once, and needs no process", async () => {
  const before = server.authorizations.length;
  await reader.read(url(), TOKEN, MAIN);
  expect(server.authorizations.slice(before)).toEqual([`Basic ${btoa("ann:canary-token")}`]);
});

it("reads the refs of a host of the old protocol", async () => {
  server.setOld(true);
  try {
    expect((await reader.read(url(), TOKEN, MAIN)).commits).toEqual(new Map([["refs/heads/main", head()]]));
  } finally {
    server.setOld(false);
  }
});

it("reads ten thousand tags", async () => {
  const many = new TestRepository(join(root, "many"));
  const commit = many.commit({ "main.tf": "" });
  const lines = Array.from({ length: 10_000 }, (_, index) => `create refs/tags/v${index} ${commit}\n`);
  many.gitWith(lines.join(""), "update-ref", "--stdin");
  const { commits } = await reader.read(`${server.url}/many/.git`, TOKEN, { branches: ["main"], tags: true });
  expect(commits.size).toBe(10_001);
});

describe("a host that cannot be read", () => {
  const problem = (address: string, credential: Parameters<RefReader["read"]>[1] = TOKEN, from = reader) =>
    from.read(address, credential, MAIN).then(
      () => "it could be read",
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : "no error"),
    );

  it("refuses the credential", async () => {
    expect(await problem(url(), { ...TOKEN, token: "wrong" })).toMatch(
      /^RefsUnreadable: .*refuses the credential.*401/,
    );
    expect(await problem(url(), NONE)).toMatch(/refuses the credential/);
  });

  it("does not have the repository", async () => {
    expect(await problem(`${server.url}/absent`)).toMatch(/^RefsUnreadable: .*no such repository.*404/);
    expect(await problem(`file://${root}/absent`, NONE)).toMatch(/^RefsUnreadable: The repository /);
  });

  it("redirects to where nothing is sent", async () => {
    await using target = await startGitServer(root, "ann", "canary-token");
    await using redirect = await startRedirect(target.url);
    expect(await problem(`${redirect.url}/x/repository/.git`)).toMatch(/^RefsUnreadable: .*redirects/);
    expect(target.authorizations).toEqual([]);
  });

  it("has an internal address, by itself or by its name", async () => {
    await using closed = await openReader({ allowed: [] });
    expect(await problem(url(), TOKEN, closed)).toMatch(/^RefsUnreadable: .*internal address/);
    const resolve = (_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    await using named = await openReader({ allowed: [], resolve });
    const { port } = server;
    expect(await problem(`https://git.example.com:${port}/repository/.git`, TOKEN, named)).toMatch(/internal address/);
  });

  it("is away", async () => {
    expect(await problem("https://127.0.0.1:1/repository.git")).toMatch(/^RefsUnreadable: .*cannot be reached/);
  });

  it("answers slowly, or with what is no list", async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      // Never ends.
      (response) => response.writeHead(200, TYPE).write("00"),
      (response) => response.writeHead(200, TYPE).end("0009x"),
      (response) => response.writeHead(200, TYPE).end("0014ERR not allowed\n0000"),
      (response) => response.writeHead(200, TYPE).end(Buffer.alloc(2000, "0")),
      (response) => response.writeHead(503).end(),
      // Git itself takes it for an empty repository.
      (response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>Sign in</html>"),
    ];
    await using odd = await startOddServer(answers);
    await using hasty = await openReader({ limits: { refReadMs: 300, refListBytes: 1000, refReadsAtOnce: 1 } });
    const found = [];
    for (const _ of answers) found.push(await problem(`${odd.url}/x`, TOKEN, hasty));
    expect(found).toEqual([
      expect.stringMatching(/did not answer within 0.3 seconds/),
      expect.stringMatching(/cannot be read/),
      expect.stringMatching(/refuses: not allowed/),
      expect.stringMatching(/more than 1000 bytes/),
      expect.stringMatching(/status 503/),
      expect.stringMatching(/answered with text\/html in place of a list of refs/),
    ]);
    expect(found.join()).not.toContain("canary");
  });
});

const TYPE = { "content-type": "application/x-git-upload-pack-result" };

async function startOddServer(answers: readonly ((response: ServerResponse) => void)[]) {
  const file = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url)));
  const left = [...answers];
  const odd = createServer({ key: file("key"), cert: file("certificate") }, (_request, response) => {
    left.shift()?.(response);
  });
  await new Promise<void>((resolve) => {
    odd.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `https://127.0.0.1:${(odd.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      odd.closeAllConnections();
      await new Promise((resolve) => odd.close(resolve));
    },
  };
}
