import type { Plugin } from "graphql-yoga";
import type { ServerContext } from "../kit/context.ts";

/**
 * Tells the transport of answers that are streams: what the client accepts says only that one may be. Whether the
 * connection is kept behind one is between the client and Node: Yoga says that it is, also to who wants it closed, and
 * who waited for that waited for six seconds.
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
