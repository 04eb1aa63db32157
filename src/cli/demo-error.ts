/** Ends the demo with a message for a person; anything else that is thrown is a bug. */
export class DemoError extends Error {
  override name = "DemoError";
}

/** The issues of an InvalidInputError as lines that follow its message. */
export function withIssues(message: string, issues: readonly { path: readonly string[]; message: string }[]): string {
  return [message, ...issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`)].join("\n");
}
