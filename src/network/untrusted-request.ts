/** Parts of requests to untrusted targets: the head and the body of an answer, and a text for a failure. */
import type { ClientRequest, IncomingMessage } from "node:http";

/** Sends the request with its body and waits for the head of the answer. The code that calls destroys the request. */
export function answerTo(request: ClientRequest, body: string | Buffer): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    request.once("response", done);
    // Stays attached: an error without a listener would end the process.
    request.on("error", fail);
    // An unrequested upgrade ends without a response.
    request.once("close", () => fail(new Error("The connection ended without a response.")));
    request.end(body);
  });
}

/** Reads the body of an answer. Throws what `tooLarge` returns if it has more bytes. */
export async function readWhole(answer: IncomingMessage, atMost: number, tooLarge: () => Error): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > atMost) throw tooLarge();
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

/** Describes an error of a request. A name with several addresses fails with one error per address and no message. */
export function failureText(error: unknown, length: number): string {
  if (!(error instanceof Error)) return "The request failed.";
  const first: unknown = error instanceof AggregateError ? error.errors[0] : null;
  const text = error.message === "" && first instanceof Error ? first.message : error.message || error.name;
  return text.slice(0, length);
}
