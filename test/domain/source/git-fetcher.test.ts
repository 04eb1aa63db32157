import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FetchedSource, FetchOptions, GitFetcher } from "../../../src/domain/kit/git-fetcher.ts";
import type { Resolve } from "../../../src/network/guarded-lookup.ts";
import { createGitFetcher, type GitFetcherOptions } from "../../../src/domain/source/git-fetcher.ts";
import { packDirectory } from "../../../src/domain/source/pack-directory.ts";
import { NO_TRIGGER } from "../../../src/model/workspace/workspace-trigger.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { UserError } from "../../../src/model/kit/user-error.ts";
import type { GitSource, Variable } from "../../../src/model/workspace/workspace.ts";
import { type GitServer, startGitServer, startRedirect, startSilentServer, TestRepository } from "../../support/git.ts";
import { unpacked } from "../../support/tar.ts";

const PASSWORD = "s3cret-t0ken-of-a-repository";

let root: string;
let folder: string;
let repository: TestRepository;
let server: GitServer;
const fetchers: GitFetcher[] = [];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-repositories-")));
  folder = `${root}-work`;
  repository = new TestRepository(join(root, "infra"));
  server = await startGitServer(root, "ada", PASSWORD);
});
afterEach(async () => {
  // Whatever happened: nothing is left of it.
  expect(await readdir(join(folder, "work")).catch(() => [])).toEqual([]);
});
afterAll(async () => {
  await Promise.all(fetchers.map((fetcher) => fetcher[Symbol.asyncDispose]()));
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

/** The servers of these tests are on the loopback network. */
const LOOPBACK: GitFetcherOptions["allowed"] = [{ type: "network", address: "127.0.0.0", prefix: 8, port: null }];

const PLAIN: FetchOptions = {
  ignores: NO_TRIGGER.ignores,
  alsoReads: [],
  reported: [],
  others: [],
  scansOf: () => ({ find: async () => new Map(), keep: async () => undefined }),
};

async function open(
  limits: Partial<GitFetcherOptions["limits"]> = {},
  more: Partial<GitFetcherOptions> = {},
): Promise<AsyncDisposable & { fetch: (from: GitSource, variables: readonly Variable[]) => Promise<FetchedSource> }> {
  const fetcher = await createGitFetcher({
    folder,
    sourceRoots: [root],
    inherited: { PATH: process.env["PATH"] ?? "", SSL_CERT_FILE: server.certificateFile },
    limits: { ...LIMITS, gitMs: 30_000, gitBytes: 50_000_000, ...limits },
    allowed: LOOPBACK,
    randomBytes: (count) => randomBytes(count),
    mac: (text) => createHash("sha256").update(text).digest(),
    ...more,
  });
  fetchers.push(fetcher);
  return {
    fetch: (from, variables) => fetcher.fetch(from, variables, PLAIN),
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
}

const source = (more: Partial<GitSource> = {}): GitSource => ({
  type: "git",
  url: `file://${repository.folder}`,
  branch: "main",
  path: ".",
  ...more,
});
const variable = (key: string, value: string): Variable => ({
  key,
  value,
  category: "ENVIRONMENT",
  sensitive: true,
  hcl: false,
});

async function refusal(work: Promise<unknown>): Promise<{ path: string; message: string }> {
  const error = await work.then(
    () => new Error("It was not refused."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw error;
  const [issue] = error.details.issues ?? [];
  return { path: issue?.path.join(".") ?? "", message: issue?.message ?? "" };
}

describe("a repository on the server's disk", () => {
  it("gives the commit of the branch and what is in it, as a folder of the same content would", async () => {
    const files = {
      "main.tf": 'variable "a" {}\n',
      "modules/b/main.tf": "",
      "modules/a.tf": "é",
      "a link": { link: "modules/a.tf" },
      ".gitattributes": "modules/a.tf export-ignore\n*.tf text eol=crlf\n",
    };
    const commit = repository.commit(files);
    const fetcher = await open();
    const packed = await fetcher.fetch(source(), []);
    expect(packed.commit).toBe(commit);
    expect(packed.digest).toBe((await packDirectory(repository.folder, [root])).digest);
    const names = (await unpacked(packed.archive)).map(({ name }) => name);
    expect(names).toEqual([".gitattributes", "a link", "main.tf", "modules/a.tf", "modules/b/main.tf"]);
  });

  it("gives a folder of it, and only that", async () => {
    repository.commit({ "envs/prod/main.tf": "# prod", "envs/prod/x.sh": "", "envs/dev/main.tf": "# dev" });
    const fetcher = await open();
    const { archive, workFolder } = await fetcher.fetch(source({ path: "envs/prod" }), []);
    expect(workFolder).toBe("envs/prod");
    expect(await unpacked(archive)).toEqual([
      { name: "envs/prod/main.tf", type: "file", mode: 0o644, body: "# prod", linkname: null },
      { name: "envs/prod/x.sh", type: "file", mode: 0o644, body: "", linkname: null },
    ]);
  });

  it("gives each fetch the commit that the branch points to at that time", async () => {
    const fetcher = await open();
    const first = repository.commit({ "main.tf": "one" });
    const before = await fetcher.fetch(source(), []);
    const second = repository.commit({ "main.tf": "two" });
    const after = await fetcher.fetch(source(), []);
    expect([before.commit, after.commit]).toEqual([first, second]);
    expect(before.digest).not.toBe(after.digest);
    repository.git("branch", "--force", "release/1.0", first);
    expect((await fetcher.fetch(source({ branch: "release/1.0" }), [])).digest).toBe(before.digest);
  });

  it("says what is missing: the branch, the folder", async () => {
    const fetcher = await open();
    expect(await refusal(fetcher.fetch(source({ branch: "nothing" }), []))).toEqual({
      path: "source.git.branch",
      message: 'is not there: the repository has no branch "nothing".',
    });
    for (const path of ["nothing", "main.tf", "envs/nothing", ".git"]) {
      expect(await refusal(fetcher.fetch(source({ path }), []))).toMatchObject({ path: "source.git.path" });
    }
    await mkdir(join(root, "empty"));
    const other = await refusal(fetcher.fetch(source({ url: `file://${root}/empty` }), []));
    expect(other.path).toBe("source.git.url");
    expect(other.message).toMatch(/^could not be fetched. .*not appear to be a git repository/s);
    expect(other.message).not.toContain(folder);
  });

  it("must lie below a root, whatever links say", async () => {
    const outside = new TestRepository(`${root}-outside`);
    outside.commit({ "main.tf": "" });
    await symlink(outside.folder, join(root, "out"));
    await mkdir(join(root, "hull"));
    await symlink(join(outside.folder, ".git"), join(root, "hull/.git"));
    const fetcher = await open();
    const urls = [
      outside.folder,
      join(root, "out"),
      join(root, "hull"),
      `${root}/../${root}-outside`,
      join(root, "no"),
    ];
    for (const path of urls) {
      expect(await refusal(fetcher.fetch(source({ url: `file://${path}` }), []))).toMatchObject({
        path: "source.git.url",
        message: `must be a repository that exists, below ${root}, the source roots of this server (HOLDPOINT_SOURCE_ROOTS).`,
      });
    }
    await rm(outside.folder, { recursive: true });
  });

  it("runs no hook and no filter, takes no submodule, and packs no link that leads out", async () => {
    const marker = join(root, "marker");
    const hostile = new TestRepository(join(root, "hostile"));
    hostile.commit({ ".gitattributes": "* filter=lfs\n", "main.tf": "version https://git-lfs.github.com/spec/v1\n" });
    hostile.git("config", "filter.lfs.smudge", `touch ${marker}`);
    hostile.git("config", "uploadpack.packObjectsHook", `touch ${marker}; git pack-objects`);
    hostile.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
    hostile.git("commit", "--quiet", "--message=module");
    const fetcher = await open();
    const url = `file://${hostile.folder}`;
    const entries = await unpacked((await fetcher.fetch(source({ url }), [])).archive);
    expect(entries.map(({ name }) => name)).toEqual([".gitattributes", "main.tf"]);
    await expect(stat(marker)).rejects.toThrow("ENOENT");
    hostile.commit({ "sub/link": { link: "../../etc/passwd" } });
    expect(await refusal(fetcher.fetch(source({ url }), []))).toEqual({
      path: "source.git.path",
      message: 'holds the link "sub/link", which leads out of it.',
    });
    // Within the repository: its target is packed too.
    hostile.commit({ "deep/link": { link: "../main.tf" } });
    const deep = await unpacked((await fetcher.fetch(source({ url, path: "deep" }), [])).archive);
    expect(deep.map(({ name }) => name)).toEqual(["deep/link", "main.tf"]);
  });

  it("is refused as soon as it is larger than the limit", async () => {
    const large = new TestRepository(join(root, "large"));
    large.commit({ noise: randomBytes(20_000_000) });
    const fetcher = await open({ gitBytes: 5_000_000 });
    expect(await refusal(fetcher.fetch(source({ url: `file://${large.folder}` }), []))).toEqual({
      path: "source.git.url",
      message: "is larger than the 5000000 bytes that may be fetched.",
    });
  });
});

describe("a repository behind a password", () => {
  it("is fetched with the variables of the workspace, for the host of the address alone", async () => {
    const commit = repository.commit({ "main.tf": "private" });
    const fetcher = await open();
    const variables = [variable("HOLDPOINT_GIT_USERNAME", "ada"), variable("HOLDPOINT_GIT_PASSWORD", `${PASSWORD}\n`)];
    const packed = await fetcher.fetch(source({ url: `${server.url}/infra/.git` }), variables);
    expect(packed.commit).toBe(commit);
    expect(server.authorizations).toContain(`Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`);
  });

  it("is not fetched without one, or with a wrong one, which no message shows", async () => {
    const fetcher = await open();
    const url = `${server.url}/infra/.git`;
    const without = await refusal(fetcher.fetch(source({ url }), []));
    expect(without.path).toBe("source.git.url");
    expect(without.message).toMatch(/terminal prompts disabled/);
    const wrong = "wrong-s3cret%value";
    const refused = await refusal(fetcher.fetch(source({ url }), [variable("HOLDPOINT_GIT_PASSWORD", wrong)]));
    expect(refused.message).toMatch(/Authentication failed/);
    for (const text of [wrong, encodeURIComponent(wrong), Buffer.from(`git:${wrong}`).toString("base64")]) {
      expect(refused.message).not.toContain(text);
    }
  });

  it("gets no password of more than one line", async () => {
    const fetcher = await open();
    const variables = [variable("HOLDPOINT_GIT_PASSWORD", `a\nhost=evil.example.com`)];
    expect(await refusal(fetcher.fetch(source({ url: `${server.url}/infra/.git` }), variables))).toEqual({
      path: "source.git.url",
      message: "cannot be fetched: HOLDPOINT_GIT_PASSWORD must be one line.",
    });
  });
});

it("a server that never answers is left after the limit, with all that was started", async () => {
  await using silent = await startSilentServer();
  const fetcher = await open({ gitMs: 5000 });
  const refused = refusal(fetcher.fetch(source({ url: `https://127.0.0.1:${silent.port}/a.git` }), []));
  await silent.connected;
  expect(await refused).toEqual({
    path: "source.git.url",
    message: "did not give the commit within 5 seconds.",
  });
});

it("what is under way ends with the server", async () => {
  await using silent = await startSilentServer();
  const fetcher = await open({ gitMs: 60_000 });
  const fetched = fetcher.fetch(source({ url: `https://127.0.0.1:${silent.port}/a.git` }), []);
  const ended = expect(fetched).rejects.toThrow("shutting down");
  await silent.connected;
  await fetcher[Symbol.asyncDispose]();
  await ended;
});

it("ssh without a key is refused before anybody is called", async () => {
  const fetcher = await open();
  const { message } = await refusal(fetcher.fetch(source({ url: "git@127.0.0.1:infra.git" }), []));
  expect(message).toContain("HOLDPOINT_GIT_SSH_KEY");
});

it("an error of ssh is shown without the key", async () => {
  const fetcher = await open();
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${"c2VjcmV0".repeat(8)}\n-----END OPENSSH PRIVATE KEY-----`;
  const url = "ssh://git@127.0.0.1:1/infra.git";
  const { message } = await refusal(fetcher.fetch(source({ url }), [variable("HOLDPOINT_GIT_SSH_KEY", key)]));
  expect(message).toMatch(/could not be fetched\. .*(?:refused|Could not read|cannot run ssh)/s);
  expect(message).not.toContain("c2VjcmV0c2VjcmV0");
});

describe("the network of the server", () => {
  it.each([
    "https://127.0.0.1:PORT/infra/.git",
    "https://localhost:PORT/infra/.git",
    "https://localhost.:PORT/infra/.git",
    "https://0x7f.1:PORT/infra/.git",
    "https://2130706433:PORT/infra/.git",
    "https://[::ffff:127.0.0.1]:PORT/infra/.git",
    "https://10.0.0.1:PORT/infra/.git",
    "https://169.254.169.254:PORT/infra/.git",
    "ssh://git@127.0.0.1:PORT/infra.git",
    "ssh://git@localhost:PORT/infra.git",
    "ssh://git@0x7f.1:PORT/infra.git",
    "git@localhost:infra.git",
    "git@127.0.0.1:infra.git",
  ])("is not reached by %s, unless the server allows it", async (address) => {
    await using silent = await startSilentServer();
    const fetcher = await open({}, { allowed: [] });
    const url = address.replace("PORT", String(silent.port));
    const refused = await refusal(fetcher.fetch(source({ url }), [variable("HOLDPOINT_GIT_SSH_KEY", "key")]));
    expect(refused.path).toBe("source.git.url");
    expect(refused.message).toMatch(/^must not lead to an internal address, unless HOLDPOINT_GIT_ALLOW names /);
    expect(silent.connections()).toBe(0);
  });

  it("is not reached by a name of which one address is public and another is not", async () => {
    const resolve: Resolve = (_name, _options, callback) =>
      callback(null, [
        { address: "192.0.2.1", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ]);
    const fetcher = await open({}, { resolve });
    const { message } = await refusal(fetcher.fetch(source({ url: "https://git.example.com/a.git" }), []));
    expect(message).toContain("internal address");
  });

  it("is reached at the address that was checked, not at one that the name has later", async () => {
    // The name means 127.0.0.1 to git; the server is where the check found it.
    await using elsewhere = await startGitServer(root, "ada", PASSWORD, "127.0.0.2");
    const resolve: Resolve = (_name, _options, callback) => callback(null, [{ address: "127.0.0.2", family: 4 }]);
    const fetcher = await open({}, { resolve });
    const commit = repository.commit({ "main.tf": "pinned" });
    const url = `https://localhost:${elsewhere.port}/infra/.git`;
    const variables = [variable("HOLDPOINT_GIT_USERNAME", "ada"), variable("HOLDPOINT_GIT_PASSWORD", PASSWORD)];
    expect((await fetcher.fetch(source({ url }), variables)).commit).toBe(commit);
  });

  it("is not reached by a redirect, which is refused with the way to mend it", async () => {
    await using target = await startGitServer(root, "ada", PASSWORD);
    await using redirect = await startRedirect(`${target.url}/infra/.git`);
    const fetcher = await open();
    const variables = [variable("HOLDPOINT_GIT_USERNAME", "ada"), variable("HOLDPOINT_GIT_PASSWORD", PASSWORD)];
    expect(await refusal(fetcher.fetch(source({ url: `${redirect.url}/infra` }), variables))).toEqual({
      path: "source.git.url",
      message: "redirects. Give the address that it redirects to, often the one with .git.",
    });
    expect(target.authorizations).toEqual([]);
  });

  it("names a host that has no address", async () => {
    const resolve: Resolve = (_name, _options, callback) => callback(new Error("ENOTFOUND"), []);
    const fetcher = await open({}, { resolve });
    expect(await refusal(fetcher.fetch(source({ url: "https://git.example.com/a.git" }), []))).toEqual({
      path: "source.git.url",
      message: "could not be fetched. The host git.example.com has no address.",
    });
  });

  it("is left to a proxy for names that only the proxy knows, but not for internal addresses", async () => {
    const resolve: Resolve = (name, _options, callback) =>
      name === "10.0.0.1" ? callback(null, [{ address: name, family: 4 }]) : callback(new Error("ENOTFOUND"), []);
    // No proxy listens there.
    const inherited = { PATH: process.env["PATH"] ?? "", https_proxy: "http://127.0.0.1:1" };
    const fetcher = await open({}, { resolve, inherited });
    const byProxy = await refusal(fetcher.fetch(source({ url: "https://git.example.com/a.git" }), []));
    expect(byProxy.message).toMatch(/127\.0\.0\.1 port 1|proxy/i);
    const internal = await refusal(fetcher.fetch(source({ url: "https://10.0.0.1/a.git" }), []));
    expect(internal.message).toContain("internal address");
  });
});

it("an older git is refused, which would not be kept to an address", async () => {
  const bin = `${root}-bin`;
  await mkdir(bin);
  await writeFile(join(bin, "git"), "#!/bin/sh\necho git version 2.37.4\n", { mode: 0o755 });
  const fetcher = await open({}, { inherited: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
  expect(await refusal(fetcher.fetch(source(), []))).toEqual({
    path: "source.git",
    message: "cannot be fetched: this server has git 2.37.4, and needs 2.38 or newer.",
  });
  await rm(bin, { recursive: true });
});
