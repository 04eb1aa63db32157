/** Generated documents with the hooks of urql: they are texts here, and their types go along. */
import { useCallback, useEffect, useRef, useState } from "react";
import {
  createRequest,
  type UseMutationResponse,
  type UseQueryState,
  useMutation,
  useQuery,
  useSubscription,
} from "urql";
import { inFlight } from "./in-flight.ts";
import { isLost, untilRetry } from "./retry.ts";

/** A generated document. */
export interface DocumentText<TResult, TVariables> {
  toString(): string;
  readonly __apiType?: (variables: TVariables) => TResult;
}

type Variables = Record<string, unknown>;

/**
 * Reads a query, and follows what the cache learns of it. The second value reads it again from the server, behind an answer
 * that is on its way. `pause`: it is not asked yet. What was read stays while the server cannot be reached, and is read again
 * afterwards.
 */
export function useDocument<TResult, TVariables extends Variables>(
  text: DocumentText<TResult, TVariables>,
  variables: TVariables,
  { pause = false }: { pause?: boolean } = {},
): [read: UseQueryState<TResult, TVariables>, reload: () => void] {
  const [read, execute] = useQuery<TResult, TVariables>({
    query: text.toString(),
    variables,
    pause,
    requestPolicy: "cache-and-network",
  });
  const asked = useRef(variables);
  useEffect(() => {
    asked.current = variables;
  });
  const reload = useCallback(() => {
    const { key } = createRequest(text.toString(), asked.current);
    if (!inFlight.askAgain(key)) execute({ requestPolicy: "network-only" });
  }, [execute, text]);
  const { error } = read;
  useEffect(() => {
    if (!isLost(error)) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    void untilRetry(signal).then(() => {
      if (!signal.aborted) reload();
    });
    return () => controller.abort();
  }, [error, reload]);
  return [useKept(read), reload];
}

/** Keeps the answer to a query while it cannot be read again: the page shows elsewhere that it may be out of date. */
function useKept<TResult, TVariables extends Variables>(
  read: UseQueryState<TResult, TVariables>,
): UseQueryState<TResult, TVariables> {
  const { data, error, operation } = read;
  const [kept, keep] = useState<{ key: number; data: TResult } | null>(null);
  if (operation !== undefined && data != null && kept?.data !== data) keep({ key: operation.key, data });
  const isKept = data == null && isLost(error) && kept !== null && kept.key === operation?.key;
  return isKept ? { ...read, data: kept.data } : read;
}

/** Follows a stream; each item goes through the cache, which updates all views of its objects. */
export function useStream<TResult, TVariables extends Variables>(
  text: DocumentText<TResult, TVariables>,
  variables: TVariables,
  { pause = false, onItem }: { pause?: boolean; onItem?: (item: TResult) => void } = {},
): void {
  useSubscription<TResult, null, TVariables>({ query: text.toString(), variables, pause }, (_former, item) => {
    onItem?.(item);
    return null;
  });
}

/** Gives a command that can be sent. */
export function useCommand<TResult, TVariables extends Variables>(
  text: DocumentText<TResult, TVariables>,
): UseMutationResponse<TResult, TVariables> {
  return useMutation<TResult, TVariables>(text.toString());
}
