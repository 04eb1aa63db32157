/** A service of HCP's run tasks on loopback. It refuses what is not signed by its key, or does not fit the schemas. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createArrivals } from "./webhook-target.ts";
import { reportSchema, requestSchema, type TaskReport, type TaskRequest, testSchema } from "./run-task-schemas.ts";

/** Answers a request, with any status. */
export type TaskAnswer = (response: ServerResponse, request: TaskRequest) => void;

export const answered =
  (status: number, headers: Record<string, string> = {}): TaskAnswer =>
  (response) =>
    void response.writeHead(status, headers).end();

export interface RunTaskService extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** Requests about runs, in order. */
  readonly requests: TaskRequest[];
  /** Tests of the address. */
  readonly tests: { count: number };
  /** What was refused: a wrong signature, or a payload that does not fit. */
  readonly refused: string[];
  /** How the next requests about runs are answered, one by one, and with the last one from then on; 200 at first. */
  answer(...answers: [TaskAnswer, ...TaskAnswer[]]): void;
  /** The next request that was not taken yet. */
  next(): Promise<TaskRequest>;
}

/** `key`: the key with which requests must be signed; empty: they must not be signed. */
export async function startRunTaskService(key = "key of the service"): Promise<RunTaskService> {
  const requests: TaskRequest[] = [];
  const refused: string[] = [];
  const tests = { count: 0 };
  const arrivals = createArrivals<TaskRequest>();
  let answers: TaskAnswer[] = [answered(200)];

  function refuse(response: ServerResponse, status: number, reason: string): void {
    refused.push(reason);
    response.writeHead(status).end(reason);
  }

  function take(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (!isSigned(request, body, key)) return refuse(response, 401, "The signature is wrong.");
    const payload: unknown = JSON.parse(body.toString());
    if (testSchema.safeParse(payload).success) {
      tests.count += 1;
      response.writeHead(200).end();
      return;
    }
    const { data, error } = requestSchema.safeParse(payload);
    if (data === undefined) return refuse(response, 400, error.message);
    requests.push(data);
    (answers.length > 1 ? answers.shift() : answers[0])?.(response, data);
    arrivals.push(data);
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => take(request, Buffer.concat(pieces), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/check`,
    key,
    requests,
    tests,
    refused,
    answer(...next) {
      answers = next;
    },
    next: () => arrivals.next(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** By the documentation, and apart from the code that signs. */
function isSigned(request: IncomingMessage, body: Buffer, key: string): boolean {
  const given = String(request.headers["x-tfc-task-signature"]);
  const wanted = key === "" ? "" : createHmac("sha512", key).update(body).digest("hex");
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Builds a report, which fits the schemas. */
export function report(
  status: TaskReport["data"]["attributes"]["status"],
  { outcomes, ...attributes }: { message?: string; url?: string; outcomes?: object[] } = {},
): object {
  const data = (outcomes ?? []).map((one) => ({ type: "task-result-outcomes", attributes: one }));
  const relationships = outcomes === undefined ? {} : { relationships: { outcomes: { data } } };
  return reportSchema.parse({
    data: { type: "task-results", attributes: { status, ...attributes }, ...relationships },
  });
}

/** The server by which a test reaches the addresses of a request: they have the public one, which is no server here. */
const here = (server: string, url: string): string => server + new URL(url).pathname;

/** Sends a report, or any other body, with the token of a request. Gives the status and the errors. */
export async function sendReport(
  server: string,
  {
    task_result_callback_url: url,
    access_token: token,
  }: Pick<TaskRequest, "task_result_callback_url" | "access_token">,
  body: object | string,
): Promise<{ status: number; errors: { status: string; code: string; title: string }[] }> {
  const response = await fetch(here(server, url), {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, errors: text === "" ? [] : JSON.parse(text).errors };
}

/** Reads something that a request names, with its token. */
export function fetchFor(server: string, url: string | null | undefined, token: string): Promise<Response> {
  return fetch(here(server, url ?? ""), { headers: { authorization: `Bearer ${token}` } });
}
