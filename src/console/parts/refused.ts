/** The refusal of a command, as the API answers with it. */
/** The reason for which a command has done nothing, or may have done nothing. */
export interface Refused {
  readonly message: string;
  readonly issues: readonly Issue[];
  /** Where the person signs in again, if that is asked. */
  readonly url: string | null;
  /** Whether it is unknown if the command was done. */
  readonly isUncertain?: boolean;
}

/** A problem of one field of the input. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
}

/** Gives the refusal in the answer to a command; `null` if it succeeded. */
export function refusalOf(answer: object): Refused | null {
  const [result]: unknown[] = Object.values(answer);
  if (!isRecord(result) || typeof result["code"] !== "string") return null;
  const { message, issues, url } = result;
  if (Array.isArray(issues) && issues.some((issue) => isIssue(issue) && issue.path[0] === "settingsDigest")) {
    return { message: OVERTAKEN, issues: [], url: null };
  }
  return {
    message: typeof message === "string" ? message : result["code"],
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    url: typeof url === "string" ? url : null,
  };
}

/** The page has read the settings itself, and reads them again when the command is sent again. */
const OVERTAKEN = "Another person changed the settings at the same moment. Nothing was changed. Send it again.";

/** States that the answer to a command was lost, so that no one knows whether it was done. */
export const lostAnswer = (cause: string): Refused => ({
  message: `The answer was lost: ${cause}`,
  issues: [],
  url: null,
  isUncertain: true,
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && Array.isArray(value["path"]) && typeof value["message"] === "string";
}
