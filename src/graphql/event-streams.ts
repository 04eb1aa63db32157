import type { Plugin } from "graphql-yoga";
import type { ServerContext } from "./context.ts";

/** Tells the transport of answers that are streams: what the client accepts says only that one may be. */
export function useEventStreams(): Plugin<object, ServerContext> {
  return {
    onResponse({ response, serverContext }) {
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (isStream) serverContext.onEventStream?.();
    },
  };
}
