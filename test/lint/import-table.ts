/** A layer, or one file of it, that may be imported. `typesOnly` allows `import type` and nothing at run time. */
export interface Importable {
  path: string;
  typesOnly?: true;
}

export interface ImportRule {
  /** Beside the file's own layer. */
  imports: readonly Importable[];
  /** Packages and `node:` modules. `most`: all but those that speak to Postgres. */
  packages: "none" | "most" | "all";
}

const layers = (...paths: string[]): Importable[] => paths.map((path) => ({ path }));
const LAYERS_OF_A_SERVER = layers(
  "os",
  "model",
  "network",
  "persistence",
  "bus",
  "domain",
  "ingestion",
  "workers",
  "graphql",
  "http",
  "runner",
  "evaluator",
  "probing",
  "client",
  "cli",
);

/** The layers of `src` and who may import whom. A layer that is absent may import nothing. */
export const LAYERS: Readonly<Record<string, ImportRule>> = {
  os: { imports: [], packages: "most" },
  model: { imports: [], packages: "none" },
  network: { imports: layers("model"), packages: "most" },
  persistence: { imports: layers("model", "os"), packages: "all" },
  bus: { imports: layers("model", "persistence"), packages: "most" },
  domain: { imports: layers("model", "network", "persistence"), packages: "most" },
  ingestion: { imports: layers("model", "domain"), packages: "most" },
  workers: { imports: layers("model", "domain", "bus"), packages: "most" },
  graphql: { imports: layers("model", "domain", "bus"), packages: "most" },
  http: {
    imports: [...layers("model", "graphql", "ingestion"), { path: "domain", typesOnly: true }],
    packages: "most",
  },
  runner: {
    imports: [...layers("model", "os", "network"), { path: "ingestion/wire.ts", typesOnly: true }],
    packages: "most",
  },
  evaluator: { imports: layers("model"), packages: "most" },
  probing: { imports: layers("model", "network"), packages: "most" },
  client: { imports: [], packages: "most" },
  cli: { imports: layers("client"), packages: "most" },
  server: { imports: [...LAYERS_OF_A_SERVER, { path: "app.ts" }], packages: "most" },
};

const EVERY_LAYER: ImportRule = {
  imports: [...LAYERS_OF_A_SERVER, ...layers("server", "app.ts")],
  packages: "most",
};

/**
 * Files with a rule of their own: the composition root and the entry point know every layer, settings know none, and the
 * listener needs a connection of its own.
 */
export const FILES: Readonly<Record<string, ImportRule>> = {
  "app.ts": EVERY_LAYER,
  "main.ts": EVERY_LAYER,
  "bus/hint-listener.ts": { imports: layers("model", "persistence"), packages: "all" },
  ...Object.fromEntries(
    ["allowed-targets", "config", "data-folder", "setting", "version", "server-claim", "start-error"].map((name) => [
      `server/${name}.ts`,
      { imports: layers("os"), packages: "most" } as const,
    ]),
  ),
};

/**
 * The folders of a layer, in order: a file may import from its own folder and from those before it, so that no two
 * folders need each other. Files beside the folders come last.
 */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  model: [
    "plan",
    "kit",
    "probe",
    "limit",
    "lifecycle",
    "people",
    "approval",
    "runner",
    "source",
    "workspace",
    "policy",
    "check",
    "verification",
    "repository",
    "bulk",
    "run",
    "dependency",
    "changeset",
    "promotion",
    "state",
    "admission",
    "log",
    "webhook",
    "schedule",
  ],
  persistence: [
    "database",
    "embedded",
    "installation",
    "people",
    "approval",
    "plan",
    "organization",
    "workspace",
    "repository",
    "inputs",
    "bulk",
    "state",
    "blob",
    "run",
    "policy",
    "check",
    "dependency",
    "changeset",
    "promotion",
    "schedule",
    "feed",
    "dispatch",
    "runner",
    "webhook",
    "backup",
    "log",
  ],
  domain: [
    "kit",
    "network",
    "access",
    "rules",
    "inputs",
    "source",
    "token",
    "sign-in",
    "variables",
    "policy",
    "creation",
    "check",
    "lifecycle",
    "lease",
    "workspace",
    "organization",
    "people",
    "run",
    "judgement",
    "external-check",
    "state",
    "recovered-state",
    "job",
    "check-request",
    "runner-pool",
    "webhook",
    "programs",
    "bulk",
    "dependency",
    "changeset",
    "promotion",
    "repository",
    "schedule",
    "drift",
    "log",
    "retention",
    "rounds",
    "figures",
  ],
  graphql: [
    "kit",
    "execution",
    "stream",
    "people",
    "plan",
    "run",
    "approval",
    "policy",
    "check",
    "bulk",
    "settings",
    "repository",
    "workspace",
    "organization",
    "dependency",
    "changeset",
    "promotion",
    "schedule",
    "drift",
    "state",
    "runner",
    "webhook",
    "server",
  ],
  evaluator: ["kit", "document", "cel", "dialect", "builtin", "rego", "answer", "child", "process"],
  http: [
    "kit",
    "route",
    "repository",
    "check",
    "sign-in",
    "programs",
    "observe",
    "socket",
    "graphql",
    "graphiql",
    "transfer",
    "run",
  ],
  runner: [
    "kit",
    "network",
    "mask",
    "archive",
    "plan",
    "job",
    "server",
    "check",
    "log",
    "state",
    "engine",
    "progress",
    "session",
    "leg",
    "slot",
  ],
};
