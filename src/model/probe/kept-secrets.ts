/** Probes that are given without their secrets, which no API returns: they keep those of a probe that is stored. */
import type { Probe } from "./probe.ts";
import type { ProbeProblem } from "./probe-input.ts";

/** A probe as people give it. */
export interface GivenProbe extends Probe {
  /** The name of the stored probe whose headers, body and variables it keeps; `null`: it has its own. */
  secretsOf: string | null;
}

const ELSEWHERE = "must be as before while secretsOf keeps its secrets, which would go elsewhere: give them again.";

/**
 * Gives a probe with its secrets. `problem`: why it cannot keep those that it asks for. Secrets stay with their
 * receiver: a person who may change probes, and cannot read them, must not send them to another one.
 */
export function withSecrets(
  { secretsOf, ...probe }: GivenProbe,
  stored: readonly Probe[],
): { probe: Probe; problem: ProbeProblem | null } {
  if (secretsOf === null) return { probe, problem: null };
  const before = stored.find(({ name }) => name === secretsOf);
  if (before === undefined) {
    return { probe, problem: { path: "secretsOf", message: "must be the name of a probe of the workspace." } };
  }
  const { headers, body, variables } = before;
  const problem = problemOf(probe, before);
  return { probe: problem === null ? { ...probe, headers, body, variables } : probe, problem };
}

function problemOf(probe: Probe, before: Probe): ProbeProblem | null {
  const { headers, body, variables } = probe;
  if (headers.length > 0 || body !== null || variables !== null) {
    return { path: "secretsOf", message: "must be absent if headers, body or variables are given." };
  }
  const moved = (["kind", "from", "followRedirects"] as const).find((field) => probe[field] !== before[field]);
  if (moved !== undefined) return { path: moved, message: ELSEWHERE };
  return isSameReceiver(probe.target, before.target) ? null : { path: "target", message: ELSEWHERE };
}

/** Another path of a site is the receiver as before. */
function isSameReceiver(target: string, before: string): boolean {
  if (target === before) return true;
  const [origin, former] = [originOf(target), originOf(before)];
  return origin !== null && origin === former;
}

function originOf(target: string): string | null {
  if (!/^https?:\/\//.test(target) || !URL.canParse(target)) return null;
  return new URL(target).origin;
}
