/** Compares the folders of modules with those that a real engine takes, and checks that no edit of them is missed. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInputs, type TrackedWorkspace } from "../../../src/domain/inputs/read-inputs.ts";
import { NO_TRIGGER } from "../../../src/model/workspace/workspace-trigger.ts";
import { commitOf, type FilesInMemory } from "../../support/commit-objects.ts";
import { installedEnginePath } from "../../support/installed-engine.ts";

const run = promisify(execFile);
let root: string;
let engine: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "holdpoint-oracle-"));
  engine = await installedEnginePath();
});
afterAll(() => rm(root, { recursive: true, force: true }));

const NO_CACHE = { find: async () => new Map(), keep: async () => undefined };
const tracked = (path: string): TrackedWorkspace => ({
  workspaceId: path,
  path,
  engine: null,
  ignores: NO_TRIGGER.ignores,
  alsoReads: [],
  reported: [],
});

const WORKSPACES = ["live/a", "live/b", "live/b/c"];
const MODULES = ["modules/x", "modules/x/part", "modules/y", "modules/z", "live/shared"];

/** How one folder names another one. */
type Syntax = "hcl" | "json" | "fake";

interface Edge {
  from: string;
  to: string;
  syntax: Syntax;
}

const edge = fc.record({
  from: fc.constantFrom(...WORKSPACES, ...MODULES),
  to: fc.constantFrom(...MODULES, "modules/linked"),
  syntax: fc.constantFrom<Syntax>("hcl", "hcl", "json", "fake"),
});

/** Many, so that most workspaces name modules in depth. */
const edges = fc.array(edge, { minLength: 8, maxLength: 16 });

/** The folders in an order in which each may name those behind it, so that no module has itself in it. */
const ORDER = [...WORKSPACES, ...MODULES];
/** The link `modules/linked` leads to this folder. */
const LINKED = "modules/y";

const isNamed = ({ from, to }: Edge): boolean =>
  ORDER.indexOf(from) < ORDER.indexOf(to === "modules/linked" ? LINKED : to);

function write(edges: readonly Edge[]): FilesInMemory {
  const files: FilesInMemory = { "modules/linked": { link: "y" }, "shared.tfvars": 'v = "1"\n' };
  for (const folder of [...WORKSPACES, ...MODULES]) {
    files[`${folder}/main.tf`] = 'variable "v" {\n  default = null\n}\n';
    files[`${folder}/text.tpl`] = "text";
    files[`${folder}/README.md`] = "read me";
  }
  for (const folder of WORKSPACES) {
    files[`${folder}/common.auto.tfvars`] = { link: `${posix.relative(folder, ".")}/shared.tfvars` };
  }
  for (const [index, { from, to, syntax }] of edges.filter(isNamed).entries()) {
    const relative = posix.relative(from, to);
    const source = relative.startsWith(".") ? relative : `./${relative}`;
    const block = `module "m${index}" {\n  source = "${source}" # "./no"\n}\n`;
    switch (syntax) {
      case "json":
        files[`${from}/m${index}.tf.json`] = JSON.stringify({ module: { [`m${index}`]: { source } } });
        break;
      case "fake":
        files[`${from}/m${index}.tf`] = `locals {\n  m${index} = <<EOT\n${block}EOT\n}\n`;
        break;
      case "hcl":
        files[`${from}/m${index}.tf`] = block;
    }
  }
  return files;
}

/** Returns the folders that a workspace names in depth, by the edges alone. */
function named(all: readonly Edge[], workspace: string): string[] {
  const found = new Set([workspace]);
  for (const folder of ORDER) {
    if (!found.has(folder)) continue;
    const own = all.filter((each) => isNamed(each) && each.from === folder && each.syntax !== "fake");
    // The engine takes the folder behind a link.
    for (const { to } of own) found.add(to === "modules/linked" ? LINKED : to);
  }
  return [...found].toSorted();
}

async function foldersOf(files: FilesInMemory): Promise<Map<string, string[]>> {
  const found = await readInputs(commitOf(files), NO_CACHE, WORKSPACES.map(tracked));
  return new Map([...found].map(([id, read]) => [id, read.type === "READ" ? read.inputs.folders : []]));
}

/** Writes the files to the disk and returns the folders that the engine takes for a workspace. */
async function taken(folder: string, files: FilesInMemory, workspace: string): Promise<string[]> {
  for (const [path, file] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof file === "string") await writeFile(target, file);
    else if ("link" in file) await symlink(file.link, target).catch(() => undefined);
  }
  const cwd = join(folder, workspace);
  await run(engine, ["get", "-no-color"], { cwd });
  const text = await readFile(join(cwd, ".terraform/modules/modules.json"), "utf8").catch(() => '{"Modules":[]}');
  const manifest: { Modules: { Dir: string }[] } = JSON.parse(text);
  return [...new Set([workspace, ...manifest.Modules.map(({ Dir }) => posix.join(workspace, Dir))])].toSorted();
}

describe("the folders of modules", () => {
  it("are those that the engine takes", async () => {
    let index = 0;
    await fc.assert(
      fc.asyncProperty(edges, fc.constantFrom(...WORKSPACES), async (edges, workspace) => {
        const files = write(edges);
        index += 1;
        const expected = await taken(join(root, String(index)), files, workspace);
        expect(named(edges, workspace)).toEqual(expected);
        expect((await foldersOf(files)).get(workspace)).toEqual(expected);
      }),
      { numRuns: 8 },
    );
  });
});

describe("an edit", () => {
  const anyEdit = fc.record({
    folder: fc.constantFrom(...WORKSPACES, ...MODULES),
    file: fc.constantFrom("text.tpl", "main.tf", "README.md", "new.tf", "sub/deep.txt"),
    kind: fc.constantFrom("change", "delete", "link", "rename"),
  });

  it("changes the digests of those workspaces whose folders have it, and of no others", async () => {
    await fc.assert(
      fc.asyncProperty(edges, anyEdit, async (edges, { folder, file, kind }) => {
        const before = write(edges);
        const path = `${folder}/${file}`;
        const after = { ...before };
        if (kind === "delete") delete after[path];
        else if (kind === "link") after[path] = { link: "text.tpl" };
        else if (kind === "rename" && path in after) {
          const former = after[path] ?? "";
          delete after[path];
          after[`${folder}/renamed-${file.replaceAll("/", "-")}`] = former;
        } else after[path] = `# changed\n`;
        const [old, now] = await Promise.all(
          [before, after].map(async (files) => readInputs(commitOf(files), NO_CACHE, WORKSPACES.map(tracked))),
        );
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        for (const workspace of WORKSPACES) {
          const [was, is] = [old?.get(workspace), now?.get(workspace)];
          const digests = [was, is].map((read) => (read?.type === "READ" ? read.inputs.digest : "missing"));
          const reads = named(edges, workspace).some((read) => isIn(folder, read, workspace));
          const isIgnored = file === "README.md";
          const isExpected = !isSame && reads && !isIgnored;
          expect({ workspace, path, kind, changed: digests[0] !== digests[1] }).toEqual({
            workspace,
            path,
            kind,
            changed: isExpected,
          });
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** Whether a folder counts where another one is read: it is below, and not a workspace of its own. */
function isIn(folder: string, read: string, workspace: string): boolean {
  if (folder === read) return true;
  if (!folder.startsWith(`${read}/`)) return false;
  return !WORKSPACES.some((other) => other !== workspace && isWithin(folder, other) && isWithin(other, read));
}

function isWithin(folder: string, parent: string): boolean {
  return folder === parent || folder.startsWith(`${parent}/`);
}
