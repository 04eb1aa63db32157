import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readdir, realpath, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FetchedSource, FetchOptions, GitFetcher } from "../../../src/domain/kit/git-fetcher.ts";
import { createGitFetcher, type GitFetcherOptions } from "../../../src/domain/source/git-fetcher.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { GitSource, Variable } from "../../../src/model/workspace/workspace.ts";
import { type GitServer, startGitServer, TestRepository } from "../../support/git.ts";
import { unpacked } from "../../support/tar.ts";

const PASSWORD = "s3cret-t0ken-of-a-mirror";
const PLAIN: FetchOptions = {
  ignores: [],
  alsoReads: [],
  reported: [],
  others: [],
  scansOf: () => ({ find: async () => new Map(), keep: async () => undefined }),
};

let root: string;
let folder: string;
let server: GitServer;
let repository: TestRepository;
let count = 0;
const fetchers: GitFetcher[] = [];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-mirrors-")));
  server = await startGitServer(root, "ada", PASSWORD);
});
beforeEach(() => {
  count += 1;
  folder = `${root}-git-${count}`;
  repository = new TestRepository(join(root, `r${count}`));
  repository.git("config", "uploadpack.allowAnySHA1InWant", "true");
});
afterEach(async () => {
  await Promise.all(fetchers.splice(0).map((fetcher) => fetcher[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function open(limits: Partial<GitFetcherOptions["limits"]> = {}): Promise<GitFetcher> {
  const fetcher = await createGitFetcher({
    folder,
    sourceRoots: [root],
    inherited: { PATH: process.env["PATH"] ?? "", SSL_CERT_FILE: server.certificateFile },
    limits: { ...LIMITS, gitMs: 60_000, ...limits },
    allowed: [{ type: "network", address: "127.0.0.0", prefix: 8, port: null }],
    randomBytes: (bytes) => randomBytes(bytes),
    mac: (text) => createHmac("sha256", "key").update(text).digest(),
  });
  fetchers.push(fetcher);
  return fetcher;
}

const variables = (password = PASSWORD): Variable[] =>
  Object.entries({ HOLDPOINT_GIT_USERNAME: "ada", HOLDPOINT_GIT_PASSWORD: password }).map(([key, value]) => ({
    key,
    value,
    category: "ENVIRONMENT",
    sensitive: true,
    hcl: false,
  }));
const source = (path = ".", branch = "main"): GitSource => ({
  type: "git",
  url: `${server.url}/r${count}/.git`,
  branch,
  path,
});
const pull = (fetcher: GitFetcher, from = source(), password = PASSWORD): Promise<FetchedSource> =>
  fetcher.fetch(from, variables(password), PLAIN);
const mirrors = (): Promise<string[]> => readdir(join(folder, "mirrors"));
/** The requests since the last call. */
const requests = (): string[] => server.requests.splice(0);
const packsSent = (): number => requests().filter((text) => text.startsWith("POST")).length;
const packFiles = async (): Promise<string[]> => {
  const [name = ""] = await mirrors();
  const packs = join(folder, "mirrors", name, "repository.git/objects/pack");
  return (await readdir(packs)).filter((file) => file.endsWith(".pack")).map((file) => join(packs, file));
};

const monorepo = (workspaces: number): Record<string, string> => {
  const files: Record<string, string> = {
    "modules/a/main.tf": 'module "b" {\n  source = "../b"\n}\n',
    "modules/b/main.tf": "",
    "unread.bin": "x".repeat(1000),
  };
  for (let i = 0; i < workspaces; i++) {
    files[`envs/${i}/main.tf`] = `module "a" {\n  source = "../../modules/a"\n}\nlocals {\n  i = ${i}\n}\n`;
    files[`envs/${i}/values.json`] = `${i}`;
  }
  return files;
};

describe("a mirror of a repository", () => {
  it("is fetched once for all who ask at the same time, and gives each its files", async () => {
    const commit = repository.commit(monorepo(39));
    const fetcher = await open();
    requests();
    const all = await Promise.all(Array.from({ length: 39 }, (_, i) => pull(fetcher, source(`envs/${i}`))));
    expect(new Set(all.map((packed) => packed.commit))).toEqual(new Set([commit]));
    for (const [index, { archive }] of all.entries()) {
      const files = await unpacked(archive);
      expect(files.map(({ name }) => name)).toEqual([
        `envs/${index}/main.tf`,
        `envs/${index}/values.json`,
        "modules/a/main.tf",
        "modules/b/main.tf",
      ]);
      expect(files[1]?.body).toBe(String(index));
    }
    // One look (refs, commits), and files: of the folders, of modules by level, the others. Git asks for refs each time.
    expect(packsSent()).toBeLessThanOrEqual(12);
    // Nothing is new: only the refs are asked for.
    await Promise.all(Array.from({ length: 39 }, (_, i) => pull(fetcher, source(`envs/${i}`))));
    expect(packsSent()).toBeLessThanOrEqual(2);
    expect(await mirrors()).toHaveLength(1);
  });

  it("does not fetch files that nothing reads", async () => {
    const commit = repository.commit(monorepo(1));
    const fetcher = await open();
    await pull(fetcher, source("envs/0"));
    const [name = ""] = await mirrors();
    const unread = repository.git("rev-parse", `${commit}:unread.bin`);
    const there = repository.git("rev-parse", `${commit}:modules/b/main.tf`);
    const inMirror = (oid: string) => {
      try {
        repository.git("-C", join(folder, "mirrors", name, "repository.git"), "cat-file", "-e", oid);
        return true;
      } catch {
        return false;
      }
    };
    expect([inMirror(unread), inMirror(there)]).toEqual([false, true]);
  });

  it("follows pushes, forced pushes, new branches and deleted ones", async () => {
    const first = repository.commit({ "main.tf": "# 1\n" });
    const fetcher = await open();
    expect((await pull(fetcher)).commit).toBe(first);
    const second = repository.commit({ "main.tf": "# 2\n" });
    expect((await pull(fetcher)).commit).toBe(second);
    repository.git("reset", "--quiet", "--hard", first);
    const forced = repository.commit({ "main.tf": "# 3\n" });
    expect((await pull(fetcher)).commit).toBe(forced);
    repository.git("branch", "other", first);
    expect((await pull(fetcher, source(".", "other"))).commit).toBe(first);
    repository.git("branch", "--delete", "--force", "other");
    await expect(pull(fetcher, source(".", "other"))).rejects.toThrow('no branch "other"');
    // One that is gone hinders no other one.
    const both = await Promise.allSettled([pull(fetcher, source(".", "other")), pull(fetcher)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(await mirrors()).toHaveLength(1);
  });

  it("belongs to a credential: another one does not read it", async () => {
    repository.commit({ "main.tf": "# 1\n" });
    const fetcher = await open();
    await pull(fetcher);
    await expect(pull(fetcher, source(), "wrong")).rejects.toThrow("could not be fetched");
    await expect(fetcher.fetch(source(), [], PLAIN)).rejects.toThrow("could not be fetched");
    // Those of failed requests are not kept.
    expect(await mirrors()).toHaveLength(1);
    server.accept("ada", "another");
    requests();
    await pull(fetcher, source(), "another");
    // Nothing of the first one is used: refs, commits and files are fetched.
    expect(packsSent()).toBeGreaterThan(2);
    expect(await mirrors()).toHaveLength(2);
  });

  it("is kept by the next server, unless the last one was killed while git wrote", async () => {
    const commit = repository.commit(monorepo(1));
    const first = await open();
    await pull(first, source("envs/0"));
    await first[Symbol.asyncDispose]();
    const second = await open();
    requests();
    expect((await pull(second, source("envs/0"))).commit).toBe(commit);
    expect(packsSent()).toBeLessThanOrEqual(1);
    await second[Symbol.asyncDispose]();
    const [name = ""] = await mirrors();
    await writeFile(join(folder, "mirrors", name, "busy"), "");
    await writeFile(join(folder, "mirrors", "stray"), "");
    const third = await open();
    expect(await mirrors()).toEqual([]);
    expect((await pull(third, source("envs/0"))).commit).toBe(commit);
    expect(await mirrors()).not.toEqual([name]);
  });

  it("is made anew where it is broken", async () => {
    const commit = repository.commit(monorepo(2));
    const fetcher = await open();
    await pull(fetcher, source("envs/0"));
    for (const pack of await packFiles()) await truncate(pack, 40);
    expect((await pull(fetcher, source("envs/1"))).commit).toBe(commit);
    const [name = ""] = await mirrors();
    await rm(join(folder, "mirrors", name), { recursive: true });
    const again = await Promise.all([pull(fetcher, source("envs/0")), pull(fetcher, source("envs/1"))]);
    expect(again.map((packed) => packed.commit)).toEqual([commit, commit]);
    expect(await mirrors()).toHaveLength(1);
  });

  it("works with hosts that have no filters", async () => {
    repository.git("config", "uploadpack.allowFilter", "false");
    const commit = repository.commit(monorepo(1));
    const fetcher = await open();
    expect((await pull(fetcher, source("envs/0"))).commit).toBe(commit);
    expect((await pull(fetcher, source("envs/0"))).commit).toBe(commit);
  });

  it("works with hosts of the old protocol, which give no single files", async () => {
    repository.git("config", "uploadpack.allowAnySHA1InWant", "false");
    server.setOld(true);
    try {
      const commit = repository.commit(monorepo(2));
      const fetcher = await open();
      const [one, other] = await Promise.all([pull(fetcher, source("envs/0")), pull(fetcher, source("envs/1"))]);
      expect([one.commit, other.commit]).toEqual([commit, commit]);
      expect(await mirrors()).toHaveLength(1);
      const next = repository.commit({ "envs/0/main.tf": "# 2\n" });
      const { archive, commit: pulled } = await pull(fetcher, source("envs/0"));
      expect(pulled).toBe(next);
      expect((await unpacked(archive))[0]).toMatchObject({ name: "envs/0/main.tf", body: "# 2\n" });
    } finally {
      server.setOld(false);
    }
  });

  it("asks the host nothing for a commit that it has", async () => {
    const commit = repository.commit(monorepo(39));
    const at = { ref: "refs/heads/main", commit };
    const pullAt = (fetcher: GitFetcher, index: number) =>
      fetcher.fetch(source(`envs/${index}`), variables(), { ...PLAIN, at });
    const fetcher = await open();
    await pullAt(fetcher, 0);
    requests();
    await Promise.all(Array.from({ length: 38 }, (_, i) => pullAt(fetcher, i + 1)));
    // The files of all, by level.
    expect(requests().filter((text) => text.includes("info/refs")).length).toBeLessThanOrEqual(3);
    // The branch has another commit by now, and the host is away.
    repository.commit({ "envs/1/main.tf": "# 2\n" });
    await server[Symbol.asyncDispose]();
    const again = await Promise.all([pullAt(fetcher, 1), pullAt(fetcher, 2)]);
    expect(again.map((packed) => packed.commit)).toEqual([commit, commit]);
    const tree = await fetcher.read(source(), variables(), at, async (view) => (await view.objects(commit)).rootTree);
    expect(tree).toBe(repository.git("rev-parse", `${commit}^{tree}`));
    server = await startGitServer(root, "ada", PASSWORD);
  });

  it("makes one pack of many", async () => {
    const fetcher = await open({ mirrorPacks: 3 });
    for (let i = 0; i < 4; i++) {
      const commit = repository.commit({ "main.tf": `# ${i}\n` });
      expect((await pull(fetcher)).commit).toBe(commit);
    }
    expect((await packFiles()).length).toBeLessThanOrEqual(4);
    expect((await pull(fetcher)).commit).toBe(repository.git("rev-parse", "HEAD"));
  });

  it("is removed where all are too large, the one that was unused for the longest time first", async () => {
    const others = ["x", "y", "z"].map((name) => new TestRepository(join(root, `${name}${count}`)));
    for (const other of others) other.commit({ "main.tf": "# 1\n", "a.bin": randomBytes(300_000).toString("hex") });
    const fetcher = await open({ mirrorsBytes: 1_000_000 });
    for (const name of ["x", "y", "x", "z"]) {
      await pull(fetcher, { ...source(), url: `${server.url}/${name}${count}/.git` });
    }
    const kept = await mirrors();
    expect(kept).toHaveLength(2);
    requests();
    await pull(fetcher, { ...source(), url: `${server.url}/x${count}/.git` });
    expect(packsSent()).toBeLessThanOrEqual(1);
  });

  it("that outgrows its limit is made anew before that is refused", async () => {
    const commit = repository.commit({ "main.tf": "", "a.bin": randomBytes(400_000).toString("hex") });
    const fetcher = await open({ gitBytes: 1_000_000 });
    expect((await pull(fetcher)).commit).toBe(commit);
    const next = repository.commit({ "a.bin": randomBytes(400_001).toString("hex") });
    expect((await pull(fetcher)).commit).toBe(next);
    repository.commit({ "a.bin": randomBytes(2_000_000).toString("hex") });
    await expect(pull(fetcher)).rejects.toThrow("is larger than the 1000000 bytes");
    expect(await mirrors()).toEqual([]);
  });
});

describe("a look at a repository", () => {
  it("gives the commits of refs, what they are, and how they follow each other", async () => {
    const first = repository.commit({ "a/main.tf": "" });
    repository.git("tag", "--annotate", "v1", "--message=one");
    const second = repository.commit({ "a/main.tf": "# 2\n" });
    repository.git("commit", "--quiet", "--amend", "--message=amended\n\nwith a body");
    const amended = repository.git("rev-parse", "HEAD");
    const fetcher = await open();
    const refs = ["refs/heads/main", "refs/tags/v1", "refs/heads/gone"];
    await fetcher.read(source(), variables(), refs, async (view) => {
      expect(view.commits).toEqual(
        new Map([
          ["refs/heads/main", amended],
          ["refs/tags/v1", first],
        ]),
      );
      expect(await view.messageOf(amended)).toBe("amended\n\nwith a body\n");
      expect([await view.isAncestor(first, amended), await view.isAncestor(amended, first)]).toEqual([true, false]);
      // A ref does not name it any more.
      expect((await view.objects(second)).rootTree).toBe((await view.objects(amended)).rootTree);
      await expect(view.objects("1".repeat(40))).rejects.toThrow();
    });
  });

  it("is not repeated for an error of what reads it", async () => {
    repository.commit({ "main.tf": "" });
    const fetcher = await open();
    await pull(fetcher);
    const before = await mirrors();
    let calls = 0;
    const reading = fetcher.read(source(), variables(), ["refs/heads/main"], async () => {
      calls += 1;
      throw new Error("The database is gone.");
    });
    await expect(reading).rejects.toThrow("The database is gone.");
    expect([calls, await mirrors()]).toEqual([1, before]);
  });
});
