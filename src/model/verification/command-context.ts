import type { ProbeOutput } from "../probe/resolve-probe.ts";
import { PROBE_LIMITS } from "../probe/probe-limits.ts";
import type { Json } from "../plan/json.ts";

/** An output as commands of probes get it. */
export interface CommandOutput {
  /** The name of its environment variable. */
  name: string;
  text: string;
  sensitive: boolean;
}

/**
 * Returns outputs as environment variables: `HOLDPOINT_OUTPUT_` and the name in capitals, with `_` for every other
 * character than letters and digits. A text is as it is, any other value is JSON. What an environment cannot take is left out.
 */
export function commandOutputs(outputs: ReadonlyMap<string, ProbeOutput>): CommandOutput[] {
  const { outputBytes, outputsBytes } = PROBE_LIMITS.command;
  const found: CommandOutput[] = [];
  let bytes = 0;
  for (const [output, { value, sensitive }] of [...outputs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const text = textOf(value);
    const size = new TextEncoder().encode(text).length;
    if (text.includes("\0") || size > outputBytes || bytes + size > outputsBytes) continue;
    bytes += size;
    found.push({ name: `HOLDPOINT_OUTPUT_${output.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`, text, sensitive });
  }
  return found;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
