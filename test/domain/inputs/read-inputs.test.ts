import { describe, expect, it } from "vitest";
import { changedPaths } from "../../../src/domain/inputs/input-set.ts";
import {
  readInputs,
  readPackedInputs,
  type TrackedWorkspace,
  type WorkspaceInputs,
} from "../../../src/domain/inputs/read-inputs.ts";
import type { ScanCache } from "../../../src/domain/kit/git-fetcher.ts";
import type { FileScan } from "../../../src/model/source/file-scan.ts";
import { NO_TRIGGER } from "../../../src/model/workspace/workspace-trigger.ts";
import { commitOf, type FilesInMemory } from "../../support/commit-objects.ts";

const NO_CACHE: ScanCache = { find: async () => new Map(), keep: async () => undefined };

const tracked = (path: string, more: Partial<TrackedWorkspace> = {}): TrackedWorkspace => ({
  workspaceId: path,
  path,
  engine: null,
  ignores: NO_TRIGGER.ignores,
  alsoReads: [],
  reported: [],
  ...more,
});

const module = (source: string, name = "m"): string => `module "${name}" {\n  source = "${source}"\n}\n`;

async function read(
  files: FilesInMemory,
  ...workspaces: TrackedWorkspace[]
): Promise<ReadonlyMap<string, WorkspaceInputs>> {
  return readInputs(commitOf(files), NO_CACHE, workspaces);
}

async function inputsOf(files: FilesInMemory, workspace: TrackedWorkspace | string, ...others: string[]) {
  const own = typeof workspace === "string" ? tracked(workspace) : workspace;
  const found = (await read(files, own, ...others.map((path) => tracked(path)))).get(own.workspaceId);
  if (found?.type !== "READ") throw new Error("The folder is missing.");
  return { ...found.inputs, files: found.entries.map(({ path }) => path).toSorted() };
}

const MONOREPO: FilesInMemory = {
  "envs/prod/main.tf": module("../../modules/app"),
  "envs/prod/dev/main.tf": "",
  "envs/prod/README.md": "",
  "modules/app/main.tf": module("./part") + module("../base", "n"),
  "modules/app/part/main.tf": "",
  "modules/app/part/x.tpl": "",
  "modules/base/main.tf": 'locals {\n  a = file("${path.module}/../../shared/a.json")\n  b = "../../files"\n}\n',
  "modules/base/LICENSE": "",
  "modules/other/main.tf": "",
  "shared/a.json": "",
  "files/b.md": "",
  "files/c/d": "",
  "other.txt": "",
};

describe("the inputs of a workspace", () => {
  it("are its folder, its modules in depth, and what these name", async () => {
    expect(await inputsOf(MONOREPO, "envs/prod", "envs/prod/dev", ".")).toMatchObject({
      folders: ["envs/prod", "modules/app", "modules/app/part", "modules/base"],
      paths: ["files", "shared/a.json"],
      unresolved: [],
      files: [
        "envs/prod/main.tf",
        "files/b.md",
        "files/c/d",
        "modules/app/main.tf",
        "modules/app/part/main.tf",
        "modules/app/part/x.tpl",
        "modules/base/main.tf",
        "shared/a.json",
      ],
    });
  });

  it("include no folder of another workspace, unless a module is there", async () => {
    const files = { "main.tf": module("./a"), "a/main.tf": "", "a/b/main.tf": "", "c/main.tf": "" };
    expect((await inputsOf(files, ".", "a", "a/b", "c")).files).toEqual(["a/main.tf", "main.tf"]);
    expect((await inputsOf(files, ".")).files).toEqual(["a/b/main.tf", "a/main.tf", "c/main.tf", "main.tf"]);
  });

  it("include ignored files that the configuration names", async () => {
    const files = { "a/main.tf": 'locals {\n  a = file("x.md")\n}\n', "a/x.md": "", "a/y.md": "" };
    expect((await inputsOf(files, "a")).files).toEqual(["a/main.tf", "a/x.md"]);
    expect((await inputsOf(files, tracked("a", { ignores: ["**/*.tf"] }))).files).toEqual(["a/x.md", "a/y.md"]);
  });

  it("follow links to files, to folders, and on the way to a module", async () => {
    const files: FilesInMemory = {
      "a/main.tf": module("./linked/m"),
      "a/linked": { link: "../real" },
      "a/common.tf": { link: "../shared/common.tf" },
      "a/terraform.tfvars": { link: "../chain" },
      chain: { link: "shared/vars" },
      "real/m/main.tf": module("../n"),
      "real/n/main.tf": "",
      "a/linked2": { link: "../all" },
      "all/x": "",
      "shared/common.tf": module("../deep"),
      "shared/vars": "",
      "deep/main.tf": "",
      unused: "",
    };
    const { files: found, folders, unresolved } = await inputsOf(files, "a");
    expect(found).toEqual([
      "a/common.tf",
      "a/linked",
      "a/linked2",
      "a/main.tf",
      "a/terraform.tfvars",
      "all/x",
      "chain",
      "deep/main.tf",
      "real/m/main.tf",
      "real/n/main.tf",
      "shared/common.tf",
      "shared/vars",
    ]);
    // The engine takes the folder behind a link.
    expect(folders).toEqual(["a", "deep", "real/m", "real/n"]);
    expect(unresolved).toEqual([]);
  });

  it("name links that leave the repository, and end at circles", async () => {
    const files: FilesInMemory = {
      "a/out": { link: "../../b" },
      "a/root": { link: "/etc/passwd" },
      "a/self": { link: "self" },
      "a/b": { link: "c" },
      "a/c": { link: "b/x" },
      "a/none": { link: "missing" },
    };
    expect((await inputsOf(files, "a")).unresolved).toEqual([
      "a/out: the link leads out of the repository",
      "a/root: the link leads out of the repository",
    ]);
  });

  it("include the commits of submodules", async () => {
    const before: FilesInMemory = { "a/s": { submodule: "1".repeat(40) } };
    const after: FilesInMemory = { "a/s": { submodule: "2".repeat(40) } };
    expect((await inputsOf(before, "a")).digest).not.toBe((await inputsOf(after, "a")).digest);
    expect((await inputsOf(before, "a")).paths).toEqual([]);
  });

  it("are the whole repository where a file cannot be read, or a module is no literal", async () => {
    for (const text of ["module {", 'module "a" {\n  source = var.x\n}\n', 'locals {\n  a = "../.."\n}\n']) {
      const [one, two] = [{ "a/b/main.tf": text }, { "a/b/main.tf": text, x: "" }];
      const inputs = await inputsOf(one, "a/b");
      expect(inputs.paths).toEqual(["."]);
      expect((await inputsOf(two, "a/b")).digest).not.toBe(inputs.digest);
    }
  });

  it("include declared files, and folders that an engine reported", async () => {
    const files = {
      "a/main.tf": "",
      "x/1.yaml": "",
      "x/2.txt": "",
      "y/z.md": "",
      "m/main.tf": module("../n"),
      "n/n.tf": "",
    };
    const also = tracked("a", { alsoReads: ["x/**/*.yaml", "y", "../out", "gone/**"], reported: ["m", "gone"] });
    expect(await inputsOf(files, also)).toMatchObject({
      files: ["a/main.tf", "m/main.tf", "n/n.tf", "x/1.yaml", "y/z.md"],
      folders: ["a", "m", "n"],
      paths: ["x/1.yaml", "y"],
    });
  });

  it("follow the files that the engine of the workspace takes", async () => {
    const files = { "a/main.tf": module("../x"), "a/main.tofu": module("../y"), "x/x.tf": "", "y/y.tf": "" };
    const folders = async (engine: TrackedWorkspace["engine"]) =>
      (await inputsOf(files, tracked("a", { engine }))).folders;
    expect([await folders("terraform"), await folders("tofu"), await folders(null)]).toEqual([
      ["a", "x"],
      ["a", "y"],
      ["a", "x", "y"],
    ]);
  });

  it("end at modules that are missing or out of the repository, and in circles", async () => {
    const files = {
      "a/main.tf": module("../b") + module("../../c", "n") + module("./gone", "o"),
      "b/main.tf": module("../a"),
    };
    expect(await inputsOf(files, "a")).toMatchObject({
      folders: ["a", "b"],
      unresolved: ["a: the module ../../c is not in the repository"],
    });
  });

  it("cost no more than their files, however modules cross", async () => {
    const files: FilesInMemory = {};
    for (let i = 0; i < 40; i++)
      files[`m${i}/main.tf`] = module(`../m${i + 1}`) + module(`../m${i + 1}/./`, "n") + module(`../m${i + 2}`, "o");
    const commit = commitOf(files);
    await readInputs(commit, NO_CACHE, [tracked("m0")]);
    expect(commit.reads.length).toBeLessThan(200);
  });

  it("have equal digests if and only if nothing of them changed", async () => {
    const digest = async (more: FilesInMemory) =>
      (await inputsOf({ ...MONOREPO, ...more }, "envs/prod", "envs/prod/dev")).digest;
    const before = await digest({});
    for (const path of [
      "other.txt",
      "modules/other/main.tf",
      "envs/prod/README.md",
      "envs/prod/dev/main.tf",
      "modules/base/LICENSE",
    ]) {
      expect([path, await digest({ [path]: "# x" })]).toEqual([path, before]);
    }
    for (const path of [
      "envs/prod/main.tf",
      "modules/app/part/x.tpl",
      "shared/a.json",
      "files/b.md",
      "modules/app/new",
    ]) {
      expect([path, await digest({ [path]: "# x" })]).not.toEqual([path, before]);
    }
  });

  it("are missing where the folder is", async () => {
    const found = await read(MONOREPO, tracked("envs/gone"), tracked("other.txt"), tracked("envs/prod"));
    expect([...found].map(([id, { type }]) => `${id} ${type}`)).toEqual([
      "envs/gone MISSING",
      "other.txt MISSING",
      "envs/prod READ",
    ]);
  });

  it("are read once for all workspaces, and scanned once for all commits", async () => {
    const kept = new Map<string, FileScan>();
    const asked: number[] = [];
    const cache: ScanCache = {
      async find(keys) {
        asked.push(keys.length);
        return new Map([...kept].filter(([key]) => keys.includes(key)));
      },
      async keep(scans) {
        for (const [key, scan] of scans) kept.set(key, scan);
      },
    };
    const files = { ...MONOREPO, "a/main.tf": module("../modules/app"), "b/main.tf": module("../modules/app", "o") };
    const workspaces = ["a", "b", "envs/prod"].map((path) => tracked(path));
    const first = commitOf(files);
    await readInputs(first, cache, workspaces);
    expect(new Set(first.reads).size).toBe(first.reads.length);
    expect(asked).toEqual([3, 1, 2]);
    const second = commitOf(files);
    await readInputs(second, cache, workspaces);
    expect(second.reads.length).toBeLessThan(first.reads.length);
  });
});

describe("an archive", () => {
  it("has the folder as it is, with what it reads besides", async () => {
    const { packed, inputs, all } = await readPackedInputs(commitOf(MONOREPO), NO_CACHE, {
      ...tracked("envs/prod"),
      others: ["envs/prod/dev", "modules/app/part", "envs/prod"],
    });
    expect(packed.workFolder).toBe("envs/prod");
    expect([...packed.entries.keys()].toSorted()).toEqual([
      "envs/prod/README.md",
      "envs/prod/dev/main.tf",
      "envs/prod/main.tf",
      "files/b.md",
      "files/c/d",
      "modules/app/main.tf",
      "modules/app/part/main.tf",
      "modules/app/part/x.tpl",
      "modules/base/LICENSE",
      "modules/base/main.tf",
      "shared/a.json",
    ]);
    expect(inputs.digest).toBe((await inputsOf(MONOREPO, "envs/prod", "envs/prod/dev")).digest);
    expect(all).toBeNull();
  });

  it("works in the folder that a link leads to", async () => {
    const files: FilesInMemory = { env: { link: "real/x" }, "real/x/main.tf": module("../y"), "real/y/main.tf": "" };
    const { packed } = await readPackedInputs(commitOf(files), NO_CACHE, { ...tracked("env"), others: [] });
    expect(packed.workFolder).toBe("real/x");
    expect([...packed.entries.keys()].toSorted()).toEqual(["env", "real/x/main.tf", "real/y/main.tf"]);
  });
});

describe("changed paths", () => {
  it("are those with another content or mode, and those of one side alone", () => {
    const entry = (path: string, oid: string, mode = "100644") => ({ path, mode, oid });
    const before = [entry("a", "1"), entry("b", "1"), entry("c", "1"), entry("d", "1")];
    const after = [entry("e", "1"), entry("d", "1", "100755"), entry("b", "2"), entry("a", "1")];
    expect(changedPaths(before, after)).toEqual(["b", "c", "d", "e"]);
  });
});
