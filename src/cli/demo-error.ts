/** Ends the demo with a message for a person. Every other error is a bug. */
export class DemoError extends Error {
  override name = "DemoError";
}

/** Appends the issues of an InvalidInputError as lines to its message. */
export function withIssues(message: string, issues: readonly { path: readonly string[]; message: string }[]): string {
  return [message, ...issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`)].join("\n");
}
