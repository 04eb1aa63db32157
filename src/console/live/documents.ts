/** Generated documents with the hooks of urql: they are texts here, and their types go along. */
import { useCallback } from "react";
import { type UseMutationResponse, type UseQueryState, useMutation, useQuery, useSubscription } from "urql";

/** A generated document. */
export interface DocumentText<TResult, TVariables> {
  toString(): string;
  readonly __apiType?: (variables: TVariables) => TResult;
}

type Variables = Record<string, unknown>;

/**
 * Reads a query, and follows what the cache learns of it. The second value reads it again from the server. `pause`: it is
 * not asked yet.
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
  return [read, useCallback(() => execute({ requestPolicy: "network-only" }), [execute])];
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
