import {
  describeMutant,
  hasLineOf,
  isByTime,
  isSurvivor,
  type Mutant,
  percentOf,
  type Score,
  scoreOf,
} from "./mutant.ts";

/** Mutations that may survive, each with the reason. */
export interface Accepted {
  /** Matches in every file: `change` is a regular expression; `unreached`: only code that no test reaches. */
  everywhere: readonly { mutator: string; change: string; unreached?: boolean; reason: string }[];
  /** By path: the mutation, as describeMutant names it. */
  files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Survivor {
  /** From the root of the repository. */
  path: string;
  /** From 1. */
  line: number;
  mutator: string;
  change: string;
  /** No test reaches it. */
  unreached: boolean;
  /** null: it is not accepted. */
  reason: string | null;
}

export interface Noticed {
  line: number;
  change: string;
  /** In the words of the test that failed. */
  reason: string;
}

export interface FileReport {
  path: string;
  score: Score;
  survivors: Survivor[];
  /** Noticed by a limit of time alone. */
  byTime: Noticed[];
  /** Accepted mutations that did not survive, or whose line has changed. */
  stale: string[];
}

/** `source` is the text of the file that all of these mutants are of. */
export function reportFile(
  path: string,
  source: string,
  mutants: readonly Mutant[],
  { everywhere, files }: Accepted,
): FileReport {
  const ofFile = files[path] ?? {};
  const ruleFor = (mutator: string, change: string, unreached: boolean) =>
    everywhere.find(
      (rule) =>
        rule.mutator === mutator && (unreached || rule.unreached !== true) && new RegExp(rule.change, "u").test(change),
    );
  const survivors = mutants.filter(isSurvivor).map((mutant): Survivor => {
    const change = describeMutant(mutant, source);
    const { location, mutatorName: mutator, status } = mutant;
    const unreached = status === "NoCoverage";
    const reason = ofFile[change] ?? ruleFor(mutator, change, unreached)?.reason ?? null;
    return { path, line: location.start.line, mutator, change, unreached, reason };
  });
  survivors.sort((one, other) => one.line - other.line);
  const byTime = mutants.filter(isByTime).map((mutant): Noticed => {
    const [reason = ""] = (mutant.statusReason ?? "").split("\n");
    return { line: mutant.location.start.line, change: describeMutant(mutant, source), reason };
  });
  byTime.sort((one, other) => one.line - other.line);
  const tried = new Set(mutants.map((mutant) => describeMutant(mutant, source)));
  const surviving = new Set(survivors.map(({ change }) => change));
  // Where only some lines of a file were mutated, the others have no result.
  const stale = Object.keys(ofFile).filter(
    (change) => (tried.has(change) || !hasLineOf(change, source)) && !surviving.has(change),
  );
  return { path, score: scoreOf(mutants), survivors, byTime, stale };
}

export function totalOf(scores: readonly Score[]): Score {
  const sum = (name: keyof Score): number => scores.reduce((total, score) => total + score[name], 0);
  return { killed: sum("killed"), timedOut: sum("timedOut"), survived: sum("survived"), unreached: sum("unreached") };
}

/** A page in Markdown: the scores, then the survivors with what is not accepted first. */
export function printReport(part: string, files: readonly FileReport[]): string {
  const total = totalOf(files.map(({ score }) => score));
  const rows = [...files.map(({ path, score }) => row(path, score)), row("all", total)];
  const survivors = files.flatMap((file) => file.survivors);
  const open = survivors.filter(({ reason }) => reason === null);
  const byTime = files.flatMap(({ path, byTime: found }) =>
    found.map(({ line, change, reason }) => `- ${path}:${line}: \`${change}\`: ${reason}`),
  );
  const stale = files.flatMap(({ path, stale: changes }) => changes.map((change) => `- ${path}: \`${change}\``));
  return [
    `# Mutations of ${part}`,
    ["| file | score | killed | timed out | survived | unreached |", "| --- | --- | --- | --- | --- | --- |", ...rows],
    ["## Survivors that are not accepted", "", ...open.map(item)],
    ["## Accepted survivors", "", ...survivors.filter(({ reason }) => reason !== null).map(item)],
    ["## Noticed by a limit of time alone", "", ...byTime],
    ["## Accepted mutations that did not survive, or whose line has changed", "", ...stale],
  ]
    .flatMap((block) => (Array.isArray(block) ? block.join("\n") : block))
    .join("\n\n")
    .concat("\n");
}

function row(name: string, score: Score): string {
  const { killed, timedOut, survived, unreached } = score;
  return `| ${name} | ${percentOf(score).toFixed(1)} | ${killed} | ${timedOut} | ${survived} | ${unreached} |`;
}

function item({ path, line, mutator, change, unreached, reason }: Survivor): string {
  const where = `- ${path}:${line} ${mutator}${unreached ? ", unreached" : ""}: \`${change}\``;
  return reason === null ? where : `${where}: ${reason}`;
}
