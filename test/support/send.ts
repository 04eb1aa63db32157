import { Agent, type OutgoingHttpHeaders, request } from "node:http";

export interface Sent {
  method: string;
  headers: OutgoingHttpHeaders;
  body?: string | Uint8Array;
}

const agent = new Agent({ keepAlive: true });

/** A request over plain http whose answer is read whole. `fetch` takes four times its CPU, and tests send many. */
export function send(url: string, sent: Sent): Promise<{ status: number; text: string }> {
  const { method, headers, body } = sent;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { agent, method, headers: { accept: "*/*", ...length, ...headers } };
    const outgoing = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    // The server may have closed an idle connection while this request was on its way: nothing was processed.
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve(send(url, sent));
      else reject(error);
    });
    outgoing.end(body);
  });
}
