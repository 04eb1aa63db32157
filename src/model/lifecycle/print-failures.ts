/** Prints docs/failures.md from the catalogue, so that the two cannot differ. */
import { FAILURE_CATALOGUE, type FailureEntry } from "./failure-catalogue.ts";

const INTRODUCTION = `# Failures

Generated from \`src/model/lifecycle/failure-catalogue.ts\` by \`npm run generate\`; do not edit.

A run that fails has a failure. Its **code** states where it failed and how far it got; its **reason** states why. The query
\`failureCatalogue\` has these tables for programs.

\`\`\`graphql
query Failure($runId: ID!) {
  run(id: $runId) {
    failure {
      code
      reason
      cause
      retryable
      summary
      resources {
        address
        reason
        summary
      }
    }
  }
}
\`\`\``;

const RULES = `## How the reason is found

The server finds the reason in the errors that the runner sends: every error of the engine, masked.

- A pattern is the whole summary of an error, an error code of an API or the form of such codes, at the
  place where SDKs write them, or a whole sentence of a library. Words alone never match: an error about a resource
  that is called \`network\`, \`quota\` or \`timeout\` has no reason because of its name.
- The patterns are tried in the order of the table, but for answers that mean something else than their status: a quota
  that is reported as a refusal, a change under way that is reported as too many requests. The first pattern that one of the
  errors matches gives the reason, so that the order in which an engine reports parallel errors decides nothing. Each resource
  has its own reason.
- What a \`local-exec\` provisioner writes is not read: it is the output of any program. Neither are tasks and hooks.
- If nothing matches there is no reason. Each word of each pattern, and each example below, is in a message of
  \`test/fixtures/failure-corpus\` with its source; a test refuses a word that no message proves.
- Where the words of the engines differ, a pattern is for one of them.

## What the reason decides

- In an init, in a plan, and in an apply that changed nothing, the reason decides the code, the stage and the category.
- Where something was applied the code stays \`APPLY_PARTIAL\` or \`DESTROY_FAILED\`, and \`cause\` has the code of the
  reason. The category is that of the reason: it names what has to be fixed.
- A \`CONDITION\` that does not hold after something was applied has the category \`HEALTH_CHECK_FAILURE\`: the configuration was
  carried out, and the result is not as it demands.
- \`retryable\` means that a **new plan** may succeed without a change by a person. Holdpoint never repeats an apply by
  itself, and nothing is retryable while the state is uncertain.

A hook with a purpose fails in the stage of that purpose ([hooks](hooks.md)).`;

/** Returns the whole document. */
export function printFailures(): string {
  const reasons = FAILURE_CATALOGUE.filter(({ reason }) => reason !== null);
  const codes = FAILURE_CATALOGUE.filter(({ reason }) => reason === null);
  const parts = [
    INTRODUCTION,
    RULES,
    "## Reasons",
    table(
      ["reason", "meaning", "for example", "code if nothing was applied", "stage", "category", "retryable", "fix"],
      reasons.map((entry) => [
        name(entry.reason),
        entry.meaning,
        `\`${(entry.sample ?? "").replaceAll("|", "\\|").replace(/\s+/g, " ")}\``,
        entry.code === null ? "that of the leg" : name(entry.code),
        stageOf(entry),
        name(entry.category),
        retryableOf(entry),
        entry.fix,
      ]),
    ),
    "## Codes",
    table(
      ["code", "meaning", "stage", "category", "retryable", "fix"],
      codes.map((entry) => [
        name(entry.code),
        entry.meaning,
        stageOf(entry),
        name(entry.category),
        retryableOf(entry),
        entry.fix,
      ]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function name(value: string | null): string {
  return value === null ? "" : `\`${value}\``;
}

function stageOf({ stage }: FailureEntry): string {
  return stage === null ? "where seen" : name(stage);
}

function retryableOf({ retryable }: FailureEntry): string {
  if (retryable === null) return "as the code";
  return retryable ? "yes" : "no";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
