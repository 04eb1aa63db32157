/** The tokens of GitHub Apps, from a server that checks their proofs, and with real git. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AppTokens } from "../../../src/domain/kit/app-tokens.ts";
import type { GitAccess } from "../../../src/domain/kit/git-fetcher.ts";
import { createAppTokens } from "../../../src/domain/source/app-tokens.ts";
import { createGitFetcher } from "../../../src/domain/source/git-fetcher.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { githubApi } from "../../../src/model/repository/git-host.ts";
import { startGitServer, startRedirect, TestRepository } from "../../support/git.ts";
import { APP, type GithubServer, startGithub } from "../../support/github.ts";

const ALLOWED = [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }] as const;
const NAME = "acme/infrastructure";
const ASKED = [
  `GET /api/v3/repos/${NAME}/installation`,
  'POST /api/v3/app/installations/42/access_tokens {"repositories":["infrastructure"],"permissions":{"contents":"read"}}',
];

let root: string;
let github: GithubServer;
let nowMs: number;
const now = (): Date => new Date(nowMs);
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "holdpoint-app-"));
  const repository = new TestRepository(join(root, `${NAME}.git`));
  repository.commit({ "main.tf": "" });
  github = await startGithub(root, now);
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  nowMs = Date.parse("2026-11-20T16:07:25.447Z");
  github.asked.length = 0;
  github.answer = null;
});

const open = (options: object = {}): AppTokens =>
  createAppTokens({
    clock: now,
    limits: LIMITS,
    allowed: ALLOWED,
    ca: readFileSync(github.git.certificateFile),
    ...options,
  });
const url = () => `${github.git.url}/${NAME}.git`;
const place = () => ({ name: NAME, url: url() });

it.each([
  ["https://github.com/acme/x.git", "https://api.github.com"],
  ["https://acme.ghe.com/acme/x.git", "https://api.acme.ghe.com"],
  ["https://github.example.com:8443/acme/x.git", "https://github.example.com:8443/api/v3"],
])("the API of %s is at %s", (repository, api) => expect(githubApi(repository)).toBe(api));

describe("a token", () => {
  it("is asked for one repository, and kept until ten minutes before its end", async () => {
    const tokens = open();
    const first = await tokens.of(APP, place());
    expect(github.asked).toEqual(ASKED);
    nowMs += 49 * 60_000;
    expect(await tokens.of(APP, place())).toBe(first);
    expect(github.asked).toEqual(ASKED);
    nowMs += 60_000;
    const second = await tokens.of(APP, place());
    expect(second).not.toBe(first);
    expect(github.asked).toEqual([...ASKED, ...ASKED]);
  });

  it("is asked for once, by however many at a time, also when it ends", async () => {
    const tokens = open();
    for (const requests of [2, 4]) {
      const all = await Promise.all(Array.from({ length: 10 }, () => tokens.of(APP, place())));
      expect(new Set(all).size).toBe(1);
      expect(github.asked).toHaveLength(requests);
      nowMs += 3_600_000;
    }
  });

  it("is used though it ends soon, if the host gives no other", async () => {
    const tokens = open({ clock: () => new Date(nowMs + 55 * 60_000) });
    // The proof is from the future for the server, which refuses it.
    await expect(tokens.of(APP, place())).rejects.toThrow("status 401");
    github.answer = (response) => {
      const isToken = github.asked.push("answered") % 2 === 0;
      const body = isToken ? { token: "short", expires_at: now().toISOString() } : { id: 1 };
      response.writeHead(isToken ? 201 : 200).end(JSON.stringify(body));
    };
    github.asked.length = 0;
    expect(await tokens.of(APP, place())).toBe("short");
  });

  it("is not the one of another key of the app", async () => {
    const tokens = open();
    await tokens.of(APP, place());
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const other = { ...APP, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    await expect(tokens.of(other, place())).rejects.toThrow("refuses the app (status 401)");
  });
});

describe("no token", () => {
  const problem = (tokens: AppTokens = open(), at: object = place()): Promise<string> =>
    tokens.of(APP, { ...place(), ...at }).then(
      (token) => `the token ${token}`,
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : "no error"),
    );
  const answering =
    (status: number, body: string) =>
    (response: ServerResponse): void => {
      response.writeHead(status).end(body);
    };

  it("is there for a repository without the app, and none is kept", async () => {
    const tokens = open();
    expect(await problem(tokens, { name: "acme/other" })).toMatch(/^AppTokenRefused: .* not installed for acme\/other/);
    github.answer = answering(503, "");
    expect(await problem(tokens)).toMatch(/answered with status 503/);
    github.answer = null;
    expect(await problem(tokens)).toMatch(/^the token /);
  });

  it.each([
    ["that refuses the app", answering(401, "{}"), /refuses the app \(status 401\).*clock/],
    ["that gives no right to read", answering(422, "{}"), /status 422/],
    ["with another document", answering(200, '{"id":"x"}'), /none of GitHub's API/],
    ["with no document", answering(200, "<html>"), /none of GitHub's API/],
    [
      "without an end",
      (response: ServerResponse): void => void response.writeHead(200).write("{"),
      /did not answer in time/,
    ],
    ["that is too large", answering(200, `"${"x".repeat(300_000)}"`), /cannot be reached: .*bytes/],
  ] as const)("comes from an answer %s", async (_words, answer, reason) => {
    github.answer = answer;
    const limits = { ...LIMITS, appRequestMs: 1000 };
    expect(await problem(open({ limits }))).toMatch(reason);
  });

  it("comes for an app without the permission", async () => {
    let requests = 0;
    github.answer = (response) => {
      requests += 1;
      if (requests === 1) response.writeHead(200).end('{"id":42}');
      else response.writeHead(422).end("{}");
    };
    expect(await problem()).toMatch(/may not read acme\/infrastructure: give it the permission Contents/);
  });

  it("comes from where a redirect leads, to which nothing is sent", async () => {
    await using target = await startGitServer(root, "ann", "canary");
    await using redirect = await startRedirect(target.url);
    expect(await problem(open(), { url: `${redirect.url}/${NAME}.git` })).toMatch(/redirects, which is not followed/);
    expect(target.authorizations).toEqual([]);
  });

  it("comes from an internal address, or from a host that is away", async () => {
    expect(await problem(open({ allowed: [] }))).toMatch(/internal address, which HOLDPOINT_GIT_ALLOW/);
    expect(await problem(open(), { url: "https://127.0.0.1:1/x.git" })).toMatch(/cannot be reached/);
    expect(github.asked).toEqual([]);
  });

  it("shows the key of the app", async () => {
    github.answer = answering(500, APP.privateKey);
    expect(await problem()).not.toContain("PRIVATE KEY");
  });
});

it("git reads the repository by each of the tokens, from one mirror, which no one else reads", async () => {
  const folder = join(root, "git");
  await using git = await createGitFetcher({
    folder,
    sourceRoots: [],
    inherited: { PATH: process.env["PATH"] ?? "", SSL_CERT_FILE: github.git.certificateFile },
    limits: LIMITS,
    allowed: ALLOWED,
    randomBytes: (count) => new Uint8Array(count),
    mac: (text) => Buffer.from(text.padEnd(16)).subarray(-16),
  });
  const tokens = open();
  const refs = ["refs/heads/main"];
  const read = (access: GitAccess) =>
    git.read({ url: url(), branch: "main" }, access, refs, async ({ commits }) => commits.size);
  const access = async (holder: string | null) => {
    const token = await tokens.of(APP, place());
    return { login: { type: "TOKEN", username: "x-access-token", token }, holder } as const;
  };
  const mirrors = () => readdirSync(join(folder, "mirrors")).length;
  expect(await read(await access("app 4711"))).toBe(1);
  nowMs += 3_600_000;
  expect(await read(await access("app 4711"))).toBe(1);
  expect(mirrors()).toBe(1);
  expect(await read(await access("app 4712"))).toBe(1);
  expect(mirrors()).toBe(2);
  const wrong = { login: { type: "TOKEN", username: "x-access-token", token: "token-0" }, holder: null } as const;
  await expect(read(wrong)).rejects.toThrow("could not be fetched");
});
