/** A request with a valid job token that the server did not grant. It changed nothing. */
export interface RefusedRequest {
  id: number;
  at: string;
  runId: string;
  jobId: string;
  runnerId: string;
  /** The request, such as `POST state` or `message applied`. */
  request: string;
  /** One of the runner protocol's codes. */
  code: string;
  message: string;
}
