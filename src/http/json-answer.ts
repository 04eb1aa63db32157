import type { ServerResponse } from "node:http";

export function answerJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

/** An error in the form of a GraphQL response, for what is refused before there is an operation. */
export function answerError(response: ServerResponse, status: number, code: string, message: string): void {
  answerJson(response, status, { errors: [{ message, extensions: { code } }] });
}
