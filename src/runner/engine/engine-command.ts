/** What the operating system lets each process of an engine have. null: what the runner itself may. */
export interface EngineBounds {
  /** Processes and threads of the engine's user, all together. */
  maxProcesses: number | null;
  /** Address space of one process. */
  maxMemoryBytes: number | null;
  /** Size of one file. */
  maxFileBytes: number | null;
}

/** What stands around an engine: bounds, and a command before its own. */
export interface EngineIsolation {
  bounds: EngineBounds;
  /** Words; empty: none. See `PLACEHOLDERS`. */
  prefix: readonly string[];
}

/** What the placeholders of a prefix stand for. */
export interface PrefixPaths {
  /** The job's folder. */
  folder: string;
  /** The engine's working directory, in the job's folder. */
  work: string;
  /** The slot's plugin cache; null: the engine has none. */
  cache: string | null;
  /** The user that the engine shall run as. */
  uid: number;
}

/** `{env}` is a word of its own and becomes `--env NAME` for each variable of the engine: docker takes the values over. */
export const PLACEHOLDERS = ["folder", "work", "cache", "uid", "env"] as const;

type Placeholder = (typeof PLACEHOLDERS)[number];

/** Names of placeholders in a prefix that do not exist, and those that do not stand alone but must. */
export function wrongPlaceholders(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    [...word.matchAll(/\{([^{}]*)\}/g)]
      .filter(([found, name = ""]) => !isPlaceholder(name) || (name === "env" && found !== word))
      .map(([found]) => found),
  );
}

/** Whether the prefix itself becomes the engine's user: then it is started as the runner's. */
export function changesUser(prefix: readonly string[]): boolean {
  return prefix.some((word) => word.includes("{uid}"));
}

/** The program to be started and its arguments: the prefix, then a shell that sets the bounds, then the engine. */
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
/** Of `ulimit -f`, in every shell that is called as sh. */
const BLOCK_BYTES = 512;

/** None where there are no bounds. The shell becomes the engine: signals and the pid are the engine's. */
function boundingWords({ maxProcesses, maxMemoryBytes, maxFileBytes }: EngineBounds): string[] {
  const lines: string[] = [];
  const must = (what: string, command: string): void => {
    lines.push(`${command} || { echo "The engine's ${what} cannot be limited on this machine." >&2; exit 126; }`);
  };
  // dash calls -p what others call -u.
  if (maxProcesses !== null) must("processes", `ulimit -u ${maxProcesses} 2>/dev/null || ulimit -p ${maxProcesses}`);
  if (maxMemoryBytes !== null) must("memory", `ulimit -v ${Math.floor(maxMemoryBytes / KIB)}`);
  if (maxFileBytes !== null) must("files", `ulimit -f ${Math.floor(maxFileBytes / BLOCK_BYTES)}`);
  if (lines.length === 0) return [];
  return ["/bin/sh", "-c", [...lines, 'exec "$@"'].join("\n"), "sh"];
}
