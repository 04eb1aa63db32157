import { invalidField } from "../../model/kit/user-error.ts";
import { type GivenProbe, withSecrets } from "../../model/probe/kept-secrets.ts";
import { isNetworkKind, type Probe } from "../../model/probe/probe.ts";
import type { Prober } from "../../model/probe/prober.ts";
import { type ProbeProblem, problemsOfProbe, problemsOfProbes } from "../../model/probe/probe-input.ts";
import { hostAndPort } from "../../model/probe/target-address.ts";
import { parseTemplate } from "../../model/probe/template.ts";
import { type Target, targetOf } from "../../network/address-guard.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import { listProbes } from "../../persistence/probe/probe-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

type ProbingDeps = Pick<Deps, "prober">;

/** Absent: unchanged. The list is replaced as a whole. */
export type ProbesInput = readonly GivenProbe[] | null | undefined;

/** The workspace whose stored probes give their secrets. */
interface Owner {
  database: Reader;
  cipher: Cipher;
  workspaceId: string;
}

/** Checks that probes can be stored and sent; `null` is refused. */
export async function checkProbes(
  deps: ProbingDeps,
  check: InputCheck,
  given: ProbesInput,
  owner: Owner,
): Promise<void> {
  if (given === undefined) return;
  if (given === null) return check.refuse("probes", "cannot be cleared: give an empty list.");
  const { probes, problems: kept } = await fillSecrets(given, owner);
  for (const { path, message } of kept) check.refuse(`probes.${path}`, message);
  if (kept.length > 0) return;
  const problems = problemsOfProbes(probes);
  for (const { path, message } of problems) check.refuse(path === "" ? "probes" : `probes.${path}`, message);
  if (problems.length > 0) return;
  for (const [index, probe] of probes.entries()) await checkReach(deps, check, probe, `probes.${index}`);
}

/** Checks one probe, whose field has this path, and gives it with its secrets. */
export async function checkProbe(
  deps: ProbingDeps,
  check: InputCheck,
  { given, field, owner }: { given: GivenProbe; field: string; owner: Owner },
): Promise<Probe> {
  const stored = given.secretsOf === null ? [] : await readProbes(owner);
  const { probe, problem } = withSecrets(given, stored);
  const problems = problem === null ? problemsOfProbe(probe) : [problem];
  for (const { path, message } of problems) check.refuse(`${field}.${path}`, message);
  if (problems.length === 0) await checkReach(deps, check, probe, field);
  return probe;
}

/** Gives probes with the secrets that they keep from the stored ones. Throws INVALID_INPUT if these have changed. */
export function takeSecrets(given: readonly GivenProbe[], stored: readonly Probe[]): Probe[] {
  const { probes, problems } = joinSecrets(given, stored);
  const [first] = problems;
  if (first !== undefined) throw invalidField(`probes.${first.path}`, first.message);
  return probes;
}

async function fillSecrets(given: readonly GivenProbe[], owner: Owner): Promise<ReturnType<typeof joinSecrets>> {
  return joinSecrets(given, given.some(({ secretsOf }) => secretsOf !== null) ? await readProbes(owner) : []);
}

function joinSecrets(
  given: readonly GivenProbe[],
  stored: readonly Probe[],
): { probes: Probe[]; problems: ProbeProblem[] } {
  const joined = given.map((probe) => withSecrets(probe, stored));
  const problems = joined.flatMap(({ problem }, index) =>
    problem === null ? [] : [{ path: `${index}.${problem.path}`, message: problem.message }],
  );
  return { probes: joined.map(({ probe }) => probe), problems };
}

async function readProbes({ database, cipher, workspaceId }: Owner): Promise<Probe[]> {
  const [probes = []] = await listProbes(database, cipher, [workspaceId]);
  return probes;
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
