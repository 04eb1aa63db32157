/** The required probes with which a verification began. A later change of one gives no better result. Pure. */
import { isForVerification, type Probe } from "../probe/probe.ts";

export interface RequiredProbe {
  name: string;
  /** A keyed digest of its definition, with its secrets. */
  digest: string;
}

/** Returns a keyed digest of a text. */
export type Digest = (text: string) => string;

/** Returns the probes that decide a verification which begins now. */
export function requiredProbes(probes: readonly Probe[], digest: Digest): RequiredProbe[] {
  return probes.filter(isRequired).map((probe) => ({ name: probe.name, digest: digest(definitionOf(probe)) }));
}

/** Describes which required probe is another one now; `null` if all are as they were. */
export function changedProbeText(
  required: readonly RequiredProbe[],
  probes: readonly Probe[],
  digest: Digest,
): string | null {
  const found = new Map(probes.map((probe) => [probe.name, probe]));
  for (const { name, digest: before } of required) {
    const change = changeOf(found.get(name), (now) => digest(definitionOf(now)) !== before);
    if (change !== null) return `The required probe ${name} ${change} since the apply.`;
  }
  return null;
}

function changeOf(now: Probe | undefined, isOther: (now: Probe) => boolean): string | null {
  if (now === undefined) return "was removed";
  if (now.weight !== "REQUIRED") return `became ${now.weight}`;
  if (!isForVerification(now)) return `got the use ${now.use}`;
  return isOther(now) ? "was changed" : null;
}

function isRequired(probe: Probe): boolean {
  return probe.weight === "REQUIRED" && isForVerification(probe);
}

/** All that decides about an answer. The interval is that of health. */
function definitionOf({ use: _use, weight: _weight, intervalSeconds: _interval, ...definition }: Probe): string {
  return JSON.stringify(definition);
}
