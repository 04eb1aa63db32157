/** The severities of messages of the engine, as its JSON output has them. */
export const SEVERITIES = ["ERROR", "WARNING"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An error or a warning of the engine, with secrets masked. */
export interface Diagnostic {
  severity: Severity;
  summary: string;
  /** `null` if the engine gives no more than the summary. */
  detail: string | null;
  /** The address of the resource that it is about; `null` if it is about none. */
  address: string | null;
  /** The place in the configuration; `null` if it has none. */
  file: string | null;
  line: number | null;
  snippet: string | null;
  /** The line of the run's log where it begins; `null` if the log does not have it. */
  logLine: number | null;
}
