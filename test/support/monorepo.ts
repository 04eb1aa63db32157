/** A large repository by construction: which workspaces read a file is known without reading it. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { posix } from "node:path";
import { createRandom } from "./random.ts";

export interface MonorepoShape {
  workspaces: number;
  modules: number;
  /** Files that no workspace reads. */
  others?: number;
  seed?: number;
}

export interface Monorepo {
  /** The bare repository. */
  readonly folder: string;
  /** The folders of workspaces, and those of modules. */
  readonly workspaces: readonly string[];
  readonly modules: readonly string[];
  /** The module that each workspace reads. */
  readonly shared: string;
  /** Returns the workspaces that read a module, by themselves or by other modules. */
  readersOf: (module: string) => string[];
  /** Returns the workspaces that have a link to the file. */
  readonly linked: { path: string; readers: readonly string[] };
  /** Commits files to a branch besides what is there, as a push does; `null` removes a file. Returns the commit. */
  push: (files: Readonly<Record<string, string | null>>, options?: PushOptions) => string;
  git: (...args: string[]) => string;
}

interface PushOptions {
  branch?: string;
  message?: string;
  /** The parent; absent: the head of the branch. */
  from?: string;
}

const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};
const COMMITTER = "a <a@example.com> 1790000000 +0000";
const LINKED = "shared/common.tfvars";
/** The levels of modules: those of one use those of the next. */
const LEVELS = 3;
/** What a workspace or a module uses at most. */
const MOST_USED = 3;
/** Workspaces that have a link. */
const LINK_EVERY = 10;
/** Modules that are named in JSON. */
const JSON_EVERY = 7;
const PER_FOLDER = 100;

type Files = Map<string, { mode: "100644" | "120000"; body: string }>;

/** Creates the repository, bare and with offers as those of hosts. */
export function createMonorepo(folder: string, shape: MonorepoShape): Monorepo {
  const random = createRandom(shape.seed ?? 1);
  const names = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, "0")}`);
  const modules = names("modules/m", shape.modules);
  const workspaces = names("live/w", shape.workspaces).map((name, index) => `${name}/${["dev", "prod"][index % 2]}`);
  const [shared = "", ...rest] = modules;
  const perLevel = Math.ceil(rest.length / LEVELS);
  const levelOf = (level: number): string[] => rest.slice(level * perLevel, (level + 1) * perLevel);
  const uses = new Map<string, string[]>([[shared, []]]);
  const some = (from: readonly string[]): string[] => {
    const picked = Array.from({ length: 1 + random.below(MOST_USED) }, () => random.pick(from));
    return [...new Set(picked.filter((one) => one !== undefined))];
  };
  for (let level = LEVELS - 1; level >= 0; level--) {
    for (const module of levelOf(level)) uses.set(module, level === LEVELS - 1 ? [] : some(levelOf(level + 1)));
  }
  for (const workspace of workspaces) uses.set(workspace, [shared, ...some([...levelOf(0), ...levelOf(1)])]);
  const linkers = workspaces.filter((_, index) => index % LINK_EVERY === 0);

  mkdirSync(folder, { recursive: true });
  const run = (args: readonly string[], input = ""): string =>
    execFileSync("git", ["-C", folder, ...args], { env: ENVIRONMENT, encoding: "utf8", input, maxBuffer: 1e9 }).trim();
  run(["init", "--quiet", "--bare", "--initial-branch=main"]);
  for (const offer of ["allowFilter", "allowAnySHA1InWant"]) run(["config", `uploadpack.${offer}`, "true"]);
  const files: Files = new Map();
  for (const [folderOf, used] of uses) writeFolder(files, folderOf, used);
  for (const workspace of linkers) {
    files.set(`${workspace}/common.auto.tfvars`, { mode: "120000", body: posix.relative(workspace, LINKED) });
  }
  files.set(LINKED, plain('region = "a"\n'));
  for (let index = 0; index < (shape.others ?? 0); index++) {
    files.set(`apps/${Math.floor(index / PER_FOLDER)}/file-${index}.ts`, plain(`export const x${index} = ${index};\n`));
  }
  const first = importOf({ branch: "main", message: "first", from: null }, files);
  run(["fast-import", "--quiet", "--force"], first);

  return {
    folder,
    workspaces,
    modules,
    shared,
    linked: { path: LINKED, readers: linkers },
    readersOf: (module) => workspaces.filter((workspace) => reaches(uses, workspace, module)),
    push(changed, { branch = "main", message = "x", from } = {}) {
      const parent = from ?? run(["rev-parse", `refs/heads/${branch}`]);
      const removed = Object.keys(changed).filter((path) => changed[path] === null);
      const written: Files = new Map();
      for (const [path, body] of Object.entries(changed)) if (body !== null) written.set(path, plain(body));
      run(["fast-import", "--quiet", "--force"], importOf({ branch, message, from: parent }, written, removed));
      return run(["rev-parse", `refs/heads/${branch}`]);
    },
    git: (...args) => run(args),
  };
}

function plain(body: string): { mode: "100644"; body: string } {
  return { mode: "100644", body };
}

function reaches(uses: ReadonlyMap<string, readonly string[]>, from: string, module: string): boolean {
  return (uses.get(from) ?? []).some((used) => used === module || reaches(uses, used, module));
}

function writeFolder(files: Files, folder: string, used: readonly string[]): void {
  const calls = used.map((module, index) => {
    const source = posix.relative(folder, module);
    if (index % JSON_EVERY !== JSON_EVERY - 1) return `module "m${index}" {\n  source = "${source}"\n}\n`;
    files.set(`${folder}/m${index}.tf.json`, plain(JSON.stringify({ module: { [`m${index}`]: { source } } })));
    return "";
  });
  const own = `locals {\n  text = templatefile("\${path.module}/text.tpl", {})\n}\n# ${folder}\n`;
  files.set(`${folder}/main.tf`, plain(own + calls.join("")));
  files.set(`${folder}/variables.tf`, plain(`variable "name" {\n  default = "${folder}"\n}\n`));
  files.set(`${folder}/outputs.tf`, plain(`output "name" {\n  value = var.name\n}\n`));
  files.set(`${folder}/text.tpl`, plain(`text of ${folder}\n`));
  files.set(`${folder}/README.md`, plain(`# ${folder}\n`));
}

/** Writes a commit for `git fast-import`. */
function importOf(
  { branch, message, from }: { branch: string; message: string; from: string | null },
  files: Files,
  removed: readonly string[] = [],
): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines = [`commit refs/heads/${branch}\ncommitter ${COMMITTER}\n${data(message)}`];
  if (from !== null) lines.push(`from ${from}\n`);
  for (const path of removed) lines.push(`D ${path}\n`);
  for (const [path, { mode, body }] of files) lines.push(`M ${mode} inline ${path}\n${data(body)}`);
  return `${lines.join("")}\n`;
}
