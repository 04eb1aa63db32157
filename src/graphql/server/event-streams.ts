import type { Plugin } from "graphql-yoga";
import type { ServerContext } from "../kit/context.ts";

/**
 * Notifies the transport of a response that is an event stream: the `accept` header shows only that one is possible.
 * Removes the header `connection`, which Yoga sets to `keep-alive` even for a client that asked to close. Such a client
 * waited six seconds for the end of the connection.
 */
export function useEventStreams(): Plugin<object, ServerContext> {
  return {
    onResponse({ response, serverContext }) {
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (!isStream) return;
      response.headers.delete("connection");
      serverContext.onEventStream?.();
    },
  };
}
