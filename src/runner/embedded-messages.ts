import { z } from "zod";
import type { ProbingSettings, RunnerSettings } from "./runner-options.ts";

/** Exit code of an embedded runner whose token the server refuses. */
export const REFUSED_EXIT = 3;

/** Settings of an embedded runner. */
export interface EmbeddedSettings extends RunnerSettings {
  /** How it samples probes; `null`: it does not. */
  probing: ProbingSettings | null;
  /** pino's name of the level. */
  logLevel: string;
}

/**
 * A message of the server to its runner's process. `start` comes first. Settings are not sent in arguments or in the
 * environment, where other users of the machine, or the engine, could read the token.
 */
export type EmbeddedMessage = { type: "start"; settings: EmbeddedSettings } | { type: "drain" } | { type: "interrupt" };

const port = z.int().nullable();
const allowedTarget = z.discriminatedUnion("type", [
  z.object({ type: z.literal("name"), name: z.string(), port }),
  z.object({ type: z.literal("network"), address: z.string(), prefix: z.int(), port }),
]);

const settingsSchema = z.object({
  serverUrl: z.string(),
  token: z.string(),
  name: z.string(),
  version: z.string(),
  labels: z.array(z.string()),
  pool: z.string().nullable(),
  slots: z.int().min(0),
  engine: z.object({ path: z.string(), name: z.string(), version: z.string() }).nullable(),
  workDir: z.string(),
  engineUid: z.int().nullable(),
  isolation: z.object({
    bounds: z.object({
      maxProcesses: z.int().positive().nullable(),
      maxMemoryBytes: z.int().positive().nullable(),
      maxFileBytes: z.int().positive().nullable(),
    }),
    prefix: z.array(z.string()),
  }),
  inherited: z.record(z.string(), z.string()),
  probing: z.object({ perSecond: z.int().positive(), allow: z.array(allowedTarget).nullable() }).nullable(),
  logLevel: z.string(),
}) satisfies z.ZodType<EmbeddedSettings>;

/** Parses a message of the channel. */
export const embeddedMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), settings: settingsSchema }),
  z.object({ type: z.literal("drain") }),
  z.object({ type: z.literal("interrupt") }),
]) satisfies z.ZodType<EmbeddedMessage>;
