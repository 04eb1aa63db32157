import { ENGINE_FAILURES, type FailureReport } from "../../model/lifecycle/failure.ts";
import type { FailureCode, FailureStage } from "../../model/lifecycle/failure-code.ts";
import type { EngineName, ReportedError } from "../../model/lifecycle/failure-classification.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Diagnostic } from "../engine/engine-event.ts";
import { adviceFor, renderDiagnostic } from "../engine/event-text.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { LogShipper } from "../log/log-shipper.ts";
import { readableLines, utf8Prefix } from "../log/log-text.ts";
import { hideDeclared } from "../mask/mask-command.ts";
import type { Masker } from "../mask/masker.ts";
import { reportedDiagnostics } from "./reported-diagnostics.ts";
import { PREAMBLE, textErrors } from "./text-errors.ts";

/** Ends a leg with a failure report. */
export class LegFailure extends Error {
  override readonly name = "LegFailure";
  readonly report: FailureReport;

  constructor(report: FailureReport) {
    super(report.summary);
    this.report = report;
  }
}

/** Builds the report of a leg that failed after infrastructure may have changed; its type follows the stop reason. */
export function unsuccessfulReport(
  { reason }: Pick<JobControl, "reason">,
  failure: FailureReport,
): { type: "stopped" | "timedOut" | "failed"; failure: FailureReport } {
  if (reason === "CANCEL") return { type: "stopped", failure };
  return { type: reason === "TIMEOUT" ? "timedOut" : "failed", failure };
}

/** Describes the end of a process for a summary. */
export function describeExit({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): string {
  return code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
}

/** Masks a report and adds the log's newest lines to it. */
export interface ReportContext {
  masker: Masker;
  limits: Pick<RunnerLimits, "failureTextBytes" | "evidenceLines">;
  log: Pick<LogShipper, "recent" | "headings">;
  /** Absent, or `null`: not known. */
  engineName?: EngineName | null;
}

export interface FailureFacts {
  code: FailureCode;
  stage: FailureStage;
  /** Used if the engine wrote no error. */
  summary: string;
  /** The engine's error diagnostics. */
  errors?: readonly Diagnostic[];
  /** All diagnostics of the command, warnings too. */
  diagnostics?: readonly Diagnostic[];
  /** Output of a command without JSON, or a reason. */
  text?: string;
  likelyCause?: string | undefined;
  appliedAddresses?: string[];
  stateUncertain?: boolean;
}

/** Completes a report: the engine's errors if there are any, masked, and log lines as evidence. */
export function failureReport(context: ReportContext, facts: FailureFacts): FailureReport {
  const { masker, limits, log, engineName = null } = context;
  const errors = facts.errors ?? [];
  const text = [...errors.map(renderDiagnostic), facts.text ?? ""].filter((part) => part.trim() !== "").join("\n");
  const message = masker.mask(hideDeclared(readableLines(text).join("\n").trim()));
  const likelyCause = facts.likelyCause === undefined ? undefined : masker.mask(facts.likelyCause);
  return {
    code: facts.code,
    stage: facts.stage,
    summary: utf8Prefix(
      masker.mask(hideDeclared(oneLine(errors[0], text) ?? facts.summary)),
      LIMITS.failureSummaryBytes,
    ),
    message: utf8Prefix(message === "" ? facts.summary : message, limits.failureTextBytes),
    ...(likelyCause === undefined ? {} : { likelyCause }),
    evidence: evidence(log.recent, errors, limits.evidenceLines),
    ...(facts.appliedAddresses === undefined
      ? {}
      : { appliedAddresses: facts.appliedAddresses.map((address) => masker.maskAddress(address)) }),
    ...(facts.stateUncertain === true ? { stateUncertain: true } : {}),
    ...reportedErrors(context, facts),
    ...reportedDiagnostics(context, facts.diagnostics ?? []),
    ...(engineName === null ? {} : { engine: engineName }),
  };
}

/**
 * Gives the errors of the engine, masked and bounded. Those of a text are read only where an engine wrote it: a hook or a
 * task may write anything.
 */
function reportedErrors(
  { masker }: ReportContext,
  { code, errors = [], text = "" }: FailureFacts,
): Pick<FailureReport, "errors"> {
  const found =
    errors.length > 0 || !ENGINE_FAILURES.includes(code) ? errors : textErrors(readableLines(text).join("\n"));
  if (found.length === 0) return {};
  const masked = (value: string, bytes: number): string => {
    return utf8Prefix(masker.mask(hideDeclared(readableLines(value).join("\n").trim())), bytes);
  };
  const reported = found.slice(0, LIMITS.failureErrors).map(
    ({ address, summary, detail }): ReportedError => ({
      ...(address === undefined || address === ""
        ? {}
        : { address: utf8Prefix(masker.maskAddress(address), LIMITS.failureAddressBytes) }),
      summary: masked(summary, LIMITS.failureSummaryBytes),
      detail: masked(adviceFor(detail), LIMITS.failureDetailBytes),
    }),
  );
  return { errors: reported };
}

/** Gives the headline: from the engine's first diagnostic, or the first error in its text. */
function oneLine(error: Diagnostic | undefined, text: string): string | undefined {
  const headlines = [...text.matchAll(/^(?:│ )?Error: (.+)$/gm)].map(([, headline]) => headline);
  const headline =
    error?.summary ?? headlines.find((line) => line !== undefined && !PREAMBLE.test(line)) ?? headlines[0];
  if (headline === undefined) return undefined;
  const place = error?.address === undefined || error.address === "" ? "" : `${error.address}: `;
  return readableLines(place + headline)
    .join(" ")
    .trim();
}

/** Picks the newest log lines about the failed resource and the headline; without a resource the newest lines. */
function evidence(recent: readonly string[], errors: readonly Diagnostic[], count: number): string[] {
  const lines = recent.filter((line) => line.trim() !== "");
  const address = errors.find((error) => error.address !== undefined && error.address !== "")?.address;
  if (address === undefined) return lines.slice(-count);
  const about = lines.filter((line) => line.startsWith(`${address}:`) || line.startsWith(`${address} `));
  const headline = lines.findLast((line) => line.startsWith("Error: "));
  return [...about.slice(1 - count), ...(headline === undefined ? [] : [headline])].slice(-count);
}
