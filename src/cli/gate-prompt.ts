import { isCancel, select } from "@clack/prompts";

import type { Gate, RunAction, RunAtGateQuery } from "../client/generated/graphql.ts";
import type { TerminalInput, TerminalOutput } from "./terminal.ts";

/** A run that waits for a person, with its plan and what this caller may do about it. */
export type RunAtGate = NonNullable<RunAtGateQuery["run"]>;

/** The decision of a person. "leave" is none: the run stays at its gate. */
export type GateAnswer = "approve" | "reject" | "discard" | "leave";

export interface GateQuestion {
  readonly gate: Gate;
  readonly run: RunAtGate;
  /** Aborts when another person decided; the answer is then "leave". */
  readonly signal: AbortSignal;
}

/** Asks one question. */
export type AskAtGate = (question: GateQuestion) => Promise<GateAnswer>;

interface Choice {
  readonly value: GateAnswer;
  readonly label: string;
  readonly hint: string;
  readonly needs: RunAction;
}

const choices: Readonly<Record<Gate, readonly Choice[]>> = {
  PLAN: [
    { value: "approve", label: "Approve the plan", hint: "the apply is asked for next", needs: "APPROVE_PLAN" },
    { value: "reject", label: "Reject the plan", hint: "the run ends REJECTED", needs: "REJECT" },
    { value: "discard", label: "Discard the run", hint: "the run ends DISCARDED", needs: "DISCARD" },
  ],
  APPLY: [
    { value: "approve", label: "Apply", hint: "the plan above is carried out", needs: "APPROVE_APPLY" },
    { value: "discard", label: "Discard the run", hint: "the run ends DISCARDED", needs: "DISCARD" },
  ],
};

/** Lists what the server allows this caller, in the order of the menu. */
function offeredAt(gate: Gate, run: RunAtGate): readonly Choice[] {
  const allowed = new Set(run.actions.filter((action) => action.allowed).map((action) => action.action));
  return choices[gate].filter((choice) => allowed.has(choice.needs));
}

/** Gives the server's reason why the caller may not approve; undefined if the caller may. */
export function approvalRefusal(gate: Gate, run: RunAtGate): string | undefined {
  const needed = gate === "PLAN" ? "APPROVE_PLAN" : "APPROVE_APPLY";
  const action = run.actions.find((candidate) => candidate.action === needed);
  return !action || action.allowed ? undefined : (action.reason ?? "this token may not approve");
}

/** Asks on the terminal; Ctrl-C and "leave" are the same. */
export function askOnTerminal(input: TerminalInput, output: TerminalOutput): AskAtGate {
  return async ({ gate, run, signal }) => {
    const answer = await select<GateAnswer>({
      message: gate === "PLAN" ? "The plan gate: is this plan acceptable?" : "The apply gate: start it now?",
      options: [
        ...offeredAt(gate, run).map(({ value, label, hint }) => ({ value, label, hint })),
        { value: "leave", label: "Leave it waiting", hint: "another person may decide" },
      ],
      input,
      output,
      signal,
    });
    return isCancel(answer) ? "leave" : answer;
  };
}
