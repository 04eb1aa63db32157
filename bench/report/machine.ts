import { availableParallelism, cpus, totalmem } from "node:os";

/** On what kind of machine something was measured; no names, no folders. */
export interface MachineFacts {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  readonly postgres: string;
  /** Day of the measurement, as 2026-01-31. */
  readonly date: string;
}

export function machineFacts(postgres: string): MachineFacts {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() || "unknown processor",
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    platform: `${process.platform}-${process.arch}`,
    node: process.versions.node,
    postgres,
    date: new Date().toISOString().slice(0, 10),
  };
}
