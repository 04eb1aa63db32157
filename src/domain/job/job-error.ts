/** Reasons for refusing a runner's request; the runner protocol maps each to a status code. */
export const JOB_ERROR_CODES = [
  "MALFORMED",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "OUT_OF_ORDER",
  "JOB_OVER",
  "TOO_LARGE",
  "TIMED_OUT",
  "BUSY",
  "STATE_REFUSED",
  "STATE_LOCKED",
] as const;
export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

export class JobError extends Error {
  readonly code: JobErrorCode;

  constructor(code: JobErrorCode, message: string) {
    super(message);
    this.name = "JobError";
    this.code = code;
  }
}

export function jobOver(): JobError {
  return new JobError("JOB_OVER", "The lease of this job is over: stop working on it.");
}
