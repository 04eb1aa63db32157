import type { PoolConfig } from "pg";

/** A subject of the benchmark: it measures side by side, in interleaved rounds, and gives tables. */
export interface Part {
  /** As `--only` takes it. */
  readonly name: string;
  readonly title: string;
  /** The database that the part is about; by default the one that the benchmark was started with. */
  readonly size?: "small";
  run(context: BenchContext): Promise<PartResult>;
}

/** The means that every part is given. */
export interface BenchContext {
  /** Fewer and shorter rounds: the whole benchmark in under four minutes. */
  readonly quick: boolean;
  /** The big database, migrated and seeded; parts that write take a copy. */
  readonly database: BigDatabase;
  /** An empty folder of this part; removed afterwards. */
  readonly folder: string;
  /** Aborted when the benchmark is interrupted. */
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  print(line: string): void;
}

/** A Postgres of the benchmark's own. */
export interface BigDatabase {
  /** For reading: 1M runs, 10k workspaces, 3M phases, a log of 1M lines. */
  readonly connection: PoolConfig;
  /** `postgres://` URL of the same, as `DATABASE_URL` takes it. */
  readonly url: string;
  /** Secret of a token with the role ADMIN in the seeded data. */
  readonly token: string;
  /** Seals the values of the data, in the form of `HOLDPOINT_MASTER_KEY`. */
  readonly masterKey: string;
  /** Ids to ask for; by number, so that every peer asks for the same rows. */
  readonly sample: {
    workspaceId(number: number): string;
    runId(number: number): string;
    readonly workspaceCount: number;
    readonly runCount: number;
    /** The run whose log has 1M lines. */
    readonly loggedRunId: string;
  };
  /** Seconds of CPU that all processes of this Postgres have used so far. */
  cpuSeconds(): Promise<number>;
  /** A new database on the same Postgres: a copy of the big one, or migrated and empty; dropped with the part. */
  create(from: "big" | "empty"): Promise<{ readonly connection: PoolConfig; readonly url: string }>;
}

export interface PartResult {
  readonly tables: readonly Table[];
  readonly plots: readonly Plot[];
  readonly targets: readonly Target[];
  /** Paragraphs of Markdown below the tables: how it is reached, or why it is not. */
  readonly notes: readonly string[];
}

export interface Table {
  readonly title: string;
  /** The first one names the rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | Figure)[])[];
}

/** A median of rounds, with the smallest and the largest. */
export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** Bars: one per series member, with the spread as a whisker. */
export interface Plot {
  /** Without its extension. */
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly { readonly label: string; readonly figure: Figure; readonly ours: boolean }[];
}

/** A ratio, or a difference, that the product promises. */
export interface Target {
  /** E.g. "page query, requests per second against the hand-written limit". */
  readonly what: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** The bound is in its unit. */
  readonly ratio: Figure;
}
