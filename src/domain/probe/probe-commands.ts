import type { Commands } from "../kit/bind-commands.ts";
import { testProbe } from "./test-probe.ts";

/** The commands about probes, by name. */
export const PROBE_COMMANDS = {
  testProbe: { run: testProbe, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
