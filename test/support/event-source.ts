import type { Api, Data } from "./api.ts";

/** A subscription over server-sent events, as a program without WebSockets would read it. */
export interface EventSource extends AsyncDisposable {
  /** The next result; null at the end that the server announces. Rejects where the connection breaks. */
  next(): Promise<Data>;
}

export async function openEventSource(
  api: Api,
  query: string,
  variables: Record<string, unknown> = {},
  accept = "text/event-stream",
): Promise<EventSource> {
  const gone = new AbortController();
  const response = await fetch(`${api.url}/graphql`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${api.token}`,
      "content-type": "application/json",
      accept,
    },
    body: JSON.stringify({ query, variables }),
    signal: gone.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end !== -1) {
          const [event, data] = ["event", "data"].map((name) =>
            text
              .slice(0, end)
              .split("\n")
              .find((line) => line.startsWith(`${name}: `))
              ?.slice(name.length + 2),
          );
          text = text.slice(end + 2);
          if (event === "complete") return null;
          if (event === "next" && data !== undefined) return JSON.parse(data);
          continue;
        }
        const chunk = await reader.read();
        if (chunk.done) throw new Error("The connection ended.");
        text += chunk.value;
      }
    },
    async [Symbol.asyncDispose]() {
      gone.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
}
