/** Describes an answer other than 200; never contains the address. */
export function answerProblem(statusCode: number | null, error: string | null): string {
  if (statusCode === null) return error ?? "The service did not answer.";
  const redirect = statusCode >= 300 && statusCode < 400 ? " Redirects are not followed." : "";
  return `The service answered with status ${statusCode}, where 200 is expected.${redirect}`;
}
