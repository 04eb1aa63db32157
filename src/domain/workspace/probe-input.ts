import { isNetworkKind, type Probe } from "../../model/probe/probe.ts";
import type { Prober } from "../../model/probe/prober.ts";
import { problemsOfProbe, problemsOfProbes } from "../../model/probe/probe-input.ts";
import { hostAndPort } from "../../model/probe/target-address.ts";
import { parseTemplate } from "../../model/probe/template.ts";
import { type Target, targetOf } from "../../network/address-guard.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

type ProbingDeps = Pick<Deps, "prober">;

/** Absent: unchanged. The list is replaced as a whole. */
export type ProbesInput = readonly Probe[] | null | undefined;

/** Checks that probes can be stored and sent; `null` is refused. */
export async function checkProbes(deps: ProbingDeps, check: InputCheck, probes: ProbesInput): Promise<void> {
  if (probes === undefined) return;
  if (probes === null) return check.refuse("probes", "cannot be cleared: give an empty list.");
  const problems = problemsOfProbes(probes);
  for (const { path, message } of problems) check.refuse(path === "" ? "probes" : `probes.${path}`, message);
  if (problems.length > 0) return;
  for (const [index, probe] of probes.entries()) await checkReach(deps, check, probe, `probes.${index}`);
}

/** Checks one probe, whose field has this path. */
export async function checkProbe(deps: ProbingDeps, check: InputCheck, probe: Probe, field: string): Promise<void> {
  const problems = problemsOfProbe(probe);
  for (const { path, message } of problems) check.refuse(`${field}.${path}`, message);
  if (problems.length === 0) await checkReach(deps, check, probe, field);
}

/** Checks the address and the expression of a probe that is otherwise valid. */
async function checkReach({ prober }: ProbingDeps, check: InputCheck, probe: Probe, field: string): Promise<void> {
  if (probe.from === "SERVER") checkAddress(check, field, probe, prober);
  const { expect, kind } = probe;
  if (expect.expression === null || !isNetworkKind(kind)) return;
  const problem = await prober.checkExpression(expect.expression, kind);
  if (problem !== null) check.refuse(`${field}.expect.expression`, problem);
}

/** Refuses an internal address of a server's probe. Names, and addresses by templates, are judged at each request. */
function checkAddress(check: InputCheck, path: string, probe: Probe, prober: Prober): void {
  const target = literalTarget(probe);
  if (target === null || prober.allows(target)) return;
  check.refuse(
    `${path}.target`,
    "must not be an internal address, unless HOLDPOINT_PROBE_ALLOW names it. Runners probe private networks: set from to RUNNERS.",
  );
}

function literalTarget({ kind, target }: Probe): Target | null {
  if (!isNetworkKind(kind) || parseTemplate(target).template?.some((part) => typeof part !== "string") !== false) {
    return null;
  }
  return kind === "HTTP" || kind === "GRAPHQL" ? targetOf(new URL(target)) : hostAndPort(target);
}
