/** A request with a valid job token that the server refused. It changed nothing. */
export interface RefusedRequest {
  id: number;
  at: string;
  runId: string;
  jobId: string;
  runnerId: string;
  /** For example `POST state` or `message applied`. */
  request: string;
  /** An error code of the runner protocol. */
  code: string;
  message: string;
}
