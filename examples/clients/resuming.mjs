/**
 * Wraps a client of graphql-ws, so that a subscription with the variable `$after` continues after the last item that it
 * got, also after a break of the connection. Everything that takes a client of graphql-ws takes it: Apollo, urql, others.
 * Items must select `__typename` and `... on StreamItem { cursor }`.
 */
export function resuming(client) {
  return {
    ...client,
    subscribe(request, sink) {
      let after = request.variables?.after;
      let expired = false;
      let left = false;
      // graphql-ws writes the request again for every connection: the getter puts in the cursor of that moment.
      const payload = {
        ...request,
        get variables() {
          return { ...request.variables, after };
        },
      };
      const open = () =>
        client.subscribe(payload, {
          next(result) {
            const [item] = Object.values(result.data ?? {});
            // What was missed cannot be had as events any more. Without a cursor comes the run as it is now.
            expired = item?.__typename === "CursorExpired";
            after = expired ? undefined : (item?.cursor ?? after);
            sink.next(result);
          },
          error: (error) => sink.error(error),
          complete() {
            // The server completes the stream after the event that ended the run, and after CursorExpired.
            if (expired && !left) leave = open();
            else sink.complete();
          },
        });
      let leave = open();
      return () => {
        left = true;
        leave();
      };
    },
  };
}

/** Settings of a client of graphql-ws that tries again as long as that may help. */
export const PATIENT = {
  retryAttempts: Number.POSITIVE_INFINITY,
  // 4401: no valid token. 4403: not valid any more; the next attempt would be answered with 4401.
  shouldRetry: (error) => error?.code !== 4401 && error?.code !== 4403,
};
