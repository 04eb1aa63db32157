/** Limits of the operating system for each process of an engine. `null`: the runner's own limit. */
export interface EngineBounds {
  /** All processes and threads of the engine's user. */
  maxProcesses: number | null;
  /** Address space of one process. */
  maxMemoryBytes: number | null;
  /** Size of one file. */
  maxFileBytes: number | null;
}

/** Isolates an engine: bounds, and a command that starts it. */
export interface EngineIsolation {
  bounds: EngineBounds;
  /** The words of the command; may hold `PLACEHOLDERS`. Empty: none. */
  prefix: readonly string[];
}

/** The values of the placeholders in a prefix. */
export interface PrefixPaths {
  /** The job's folder. */
  folder: string;
  /** The engine's working directory, in the job's folder. */
  work: string;
  /** The slot's plugin cache; `null` without one. */
  cache: string | null;
  /** The user that the engine shall run as. */
  uid: number;
}

/** Placeholders of a prefix. `{env}`, a word of its own, becomes `--env NAME` for each variable: docker copies the values. */
export const PLACEHOLDERS = ["folder", "work", "cache", "uid", "env"] as const;

type Placeholder = (typeof PLACEHOLDERS)[number];

/** Gives placeholders of a prefix that do not exist, and `{env}` within a longer word. */
export function wrongPlaceholders(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    [...word.matchAll(/\{([^{}]*)\}/g)]
      .filter(([found, name = ""]) => !isPlaceholder(name) || (name === "env" && found !== word))
      .map(([found]) => found),
  );
}

/** Gives whether the prefix changes to the engine's user itself; then it is started as the runner's user. */
export function changesUser(prefix: readonly string[]): boolean {
  return prefix.some((word) => word.includes("{uid}"));
}

/** Builds the command line: the prefix, a shell that sets the bounds, the engine. */
export function isolatedCommand(
  engine: { path: string; args: readonly string[]; environment: Readonly<Record<string, string>> },
  { bounds, prefix }: EngineIsolation,
  paths: PrefixPaths,
): { path: string; args: string[] } {
  const bounded = [...boundingWords(bounds), engine.path, ...engine.args];
  const words = [...prefix.flatMap((word) => expand(word, paths, Object.keys(engine.environment))), ...bounded];
  const [path = engine.path, ...args] = words;
  return { path, args };
}

function expand(word: string, paths: PrefixPaths, names: readonly string[]): string[] {
  if (word === "{env}") return names.flatMap((name) => ["--env", name]);
  const values: Record<Exclude<Placeholder, "env">, string> = {
    folder: paths.folder,
    work: paths.work,
    cache: paths.cache ?? paths.folder,
    uid: String(paths.uid),
  };
  return [
    word.replace(/\{(folder|work|cache|uid)\}/g, (found, name: string) =>
      isPlaceholder(name) && name !== "env" ? values[name] : found,
    ),
  ];
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((known) => known === name);
}

const KIB = 1024;
/** The unit of `ulimit -f` in every shell that is called as sh. */
const BLOCK_BYTES = 512;

/** Builds the shell that sets the bounds; empty without bounds. It execs the engine, so signals and pid are the engine's. */
function boundingWords({ maxProcesses, maxMemoryBytes, maxFileBytes }: EngineBounds): string[] {
  const lines: string[] = [];
  const must = (what: string, command: string): void => {
    lines.push(
      `${command} || { echo "This machine cannot limit the engine's ${what}. Unset the limit." >&2; exit 126; }`,
    );
  };
  // dash calls -p what others call -u.
  if (maxProcesses !== null) must("processes", `ulimit -u ${maxProcesses} 2>/dev/null || ulimit -p ${maxProcesses}`);
  if (maxMemoryBytes !== null) must("memory", `ulimit -v ${Math.floor(maxMemoryBytes / KIB)}`);
  if (maxFileBytes !== null) must("files", `ulimit -f ${Math.floor(maxFileBytes / BLOCK_BYTES)}`);
  if (lines.length === 0) return [];
  return ["/bin/sh", "-c", [...lines, 'exec "$@"'].join("\n"), "sh"];
}
