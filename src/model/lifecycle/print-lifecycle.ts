/** Prints docs/run-lifecycle.md from the table, so that the two cannot differ. */
import { toDialects } from "./dialects.ts";
import { RUN_KINDS, RUN_LEGS, RUN_OUTCOMES, type RunKind } from "./run-kind.ts";
import { type RunPosition, reachablePositions } from "./legal-changes.ts";
import { isTerminal, RUN_STATUSES, type RunStatus, STATUS_TRAITS, type StatusDeadline } from "./run-status.ts";
import { type Guard, TRANSITIONS, type Transition } from "./run-transitions.ts";

const GUARD_WORDS = {
  hasPolicies: "policies or checks judge the plan",
  hasPreApplyChecks: "checks before the apply are due",
  noChanges: "the plan has no changes",
  policyDenied: "it is denied",
  planGateRequired: "the plan gate is required",
  autoApplies: "auto-apply covers the plan",
  skipsApply: "the workspace skips applying",
  applyGateRequired: "the apply gate is required",
  quorumMissing: "more approvals are needed",
  replanned: "a replan made the plan",
  hasProbes: "probes are set",
  forced: "forced",
  stopRequested: "a stop was requested",
  stopRequestOld: "the request to stop is old enough",
  interruptAllowed: "applies may be interrupted",
  attemptsExhausted: "it was the last attempt of the leg",
} as const satisfies Record<Guard, string>;

/** Ends that cut a run short. They are not drawn as arrows, which would hide the regular path. */
const CUT_SHORT: readonly RunStatus[] = ["FAILED", "TIMED_OUT", "CANCELED", "STOPPED", "SKIPPED"];

const INTRODUCTION = `# Run lifecycle

Generated from \`src/model/lifecycle/run-transitions.ts\` by \`npm run generate\`; do not edit.

A run is one change of a workspace. Three things describe where it is: its **status**, its **leg** (the stretch of work that
it is on: ${RUN_LEGS.join(", ")}) and, once it is FINISHED, its **outcome**.
A run may wait for approvals twice: at the *plan gate* (is this plan acceptable?) and at the *apply gate* (start it now?).
A run that has ended never changes again.`;

const DIAGRAM_NOTE = `The path of a DEPLOY run. Two things are left out of the picture: a lost lease, after which a run waits for a runner
again or fails, and the ends that cut a run short, which are listed below it.`;

const TRANSITIONS_NOTE = `Every command for a run is looked up here. The rows of one command are tried in this order, and the first whose
guards all hold applies. If there is none, the command is refused with a conflict and the run is unchanged.

A decision about another plan than the newest, and an approval after the state has changed, are refused as stale before any
guard is checked. "Stays" means that the command is accepted and recorded, and the status is unchanged.`;

const DIALECTS_NOTE = `The same run in the terms of each product, for every position that a run of kind DEPLOY or DESTROY can reach. A STOPPED run
whose runner was fenced is \`force_canceled\` to HCP.`;

/** Returns the whole document. */
export function printLifecycle(): string {
  const parts = [
    INTRODUCTION,
    "## The way of a run",
    DIAGRAM_NOTE,
    diagram("DEPLOY"),
    ends("DEPLOY"),
    "## Statuses",
    statuses(),
    "## Transitions",
    TRANSITIONS_NOTE,
    transitions(),
    "## Dialects",
    DIALECTS_NOTE,
    dialects(["DEPLOY", "DESTROY"]),
  ];
  return `${parts.join("\n\n")}\n`;
}

interface Arrow {
  from: RunStatus;
  to: RunStatus;
  name: string;
}

/** Returns the status changes of a kind on every leg, in the order of the statuses. */
function arrows(kind: RunKind): Arrow[] {
  const positions = reachablePositions().filter((position) => position.kind === kind);
  return RUN_STATUSES.flatMap((from) => {
    const legs = positions.filter((position) => position.status === from).map((position) => position.leg);
    return TRANSITIONS.flatMap((row) => {
      const applies =
        row.kinds.includes(kind) && row.from?.includes(from) === true && legs.some((leg) => row.legs.includes(leg));
      return applies && row.to !== null ? [{ from, to: row.to, name: row.name }] : [];
    });
  });
}

function diagram(kind: RunKind): string {
  const labels = new Map<string, Set<string>>();
  for (const { from, to, name } of arrows(kind)) {
    if (CUT_SHORT.includes(to) || name === "leaseLost") continue;
    const key = `${from} --> ${to}`;
    labels.set(key, (labels.get(key) ?? new Set()).add(name));
  }
  const lines = [...labels].map(([key, names]) => `    ${key}: ${[...names].join(", ")}`);
  const drawn = RUN_STATUSES.filter(
    (status) => isTerminal(status) && [...labels.keys()].some((key) => key.endsWith(` ${status}`)),
  );
  return [
    "```mermaid",
    "stateDiagram-v2",
    "    [*] --> QUEUED: create",
    ...lines,
    ...drawn.map((status) => `    ${status} --> [*]`),
    "```",
  ].join("\n");
}

function ends(kind: RunKind): string {
  const all = arrows(kind);
  const rows = CUT_SHORT.map((end) => {
    const from = RUN_STATUSES.filter((status) => all.some((arrow) => arrow.from === status && arrow.to === end));
    return [end, from.join(", ")];
  });
  return table(["cut short as", "from"], rows);
}

function statuses(): string {
  const yes = (value: boolean): string => (value ? "yes" : "");
  const rows = RUN_STATUSES.map((status) => {
    const traits = STATUS_TRAITS[status];
    return [
      status,
      yes(traits.terminal),
      yes(traits.runnerBusy),
      traits.gate?.toLowerCase() ?? "",
      yes(traits.claimable),
      describeDeadline(traits.deadline),
      traits.requiredAction,
      traits.meaning,
    ];
  });
  return table(
    ["status", "terminal", "runner busy", "gate", "waits for a runner", "deadline", "required action", "meaning"],
    rows,
  );
}

const DEADLINES = {
  QUEUE: "queue limit, if one is set",
  APPROVAL: "limit of the gate, if one is set",
  WORK: "run time and silence",
  JUDGING: "limit of a plan",
  VERIFYING: "window of the verification, and the time for a judgement",
} as const satisfies Record<Extract<StatusDeadline, string>, string>;

function describeDeadline(deadline: StatusDeadline | null): string {
  if (deadline === null) return "";
  return typeof deadline === "string" ? DEADLINES[deadline] : `none: ${deadline.noneBecause}`;
}

function transitions(): string {
  const rows = TRANSITIONS.map((row) => [
    row.name,
    row.command,
    row.kinds.length === RUN_KINDS.length ? "all" : row.kinds.join(", "),
    row.from === null ? "(new)" : row.from.join(", "),
    row.legs.length === RUN_LEGS.length ? "any" : row.legs.join(", "),
    target(row),
    (row.when ?? []).map((guard) => GUARD_WORDS[guard]).join(" and "),
    row.who,
    row.note,
  ]);
  return table(["name", "command", "kinds", "from", "legs", "to", "guard", "who", "note"], rows);
}

function target({ to, leg, outcome }: Transition): string {
  if (to === null) return "stays";
  const words: string[] = [to];
  if (outcome !== undefined) words.push(`(${outcome})`);
  if (leg !== undefined) words.push(leg === "execution" ? "on the leg that executes" : `on leg ${leg}`);
  return words.join(" ");
}

function dialects(kinds: readonly RunKind[]): string {
  const positions = reachablePositions()
    .filter((position) => kinds.includes(position.kind))
    .toSorted((a, b) => rank(a) - rank(b));
  const rows = positions.map((position) => {
    const { amnify, spacelift, forgecroft, smartDeploy, hcp } = toDialects(position, false);
    const succeeded = smartDeploy.success === null ? "" : smartDeploy.success ? " (success)" : " (no success)";
    return [
      position.kind,
      position.status,
      position.leg,
      position.outcome ?? "",
      amnify,
      spacelift,
      `${forgecroft.plan ?? ""}${forgecroft.discarded ? " (discarded)" : ""}`,
      forgecroft.apply ?? "",
      `${smartDeploy.status}${succeeded}`,
      hcp,
    ];
  });
  const heads = ["kind", "status", "leg", "outcome", "amnify", "spacelift", "forgecroft plan", "forgecroft apply"];
  return table([...heads, "smart deploy", "hcp"], rows);
}

/** Sorts by kind, then status, leg and outcome, each in the order of its list. */
function rank({ kind, status, leg, outcome }: RunPosition): number {
  const digits = [
    RUN_KINDS.indexOf(kind),
    RUN_STATUSES.indexOf(status),
    RUN_LEGS.indexOf(leg),
    outcome === null ? 0 : RUN_OUTCOMES.indexOf(outcome),
  ];
  return digits.reduce((sum, digit) => sum * 100 + digit, 0);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
