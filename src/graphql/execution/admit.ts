import { type DocumentNode, GraphQLError, parse, type ParseOptions, type Source } from "graphql";
import type { Plugin } from "graphql-yoga";

import { LIMITS } from "../../model/kit/limits.ts";
import { refusal } from "../kit/errors.ts";
import { refusalOf } from "./limits.ts";

/**
 * Parses a document up to a limit of tokens, which is above any sensible document. Variables of fragments are refused:
 * compiled documents do not know them, and would answer with wrong values.
 */
function parseBounded(source: string | Source, options?: ParseOptions): DocumentNode {
  try {
    return parse(source, { ...options, maxTokens: LIMITS.queryTokens, experimentalFragmentArguments: false });
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): unknown {
  // The parser descends with the document: some thousand levels end its stack long before the tokens are counted.
  if (error instanceof RangeError) {
    return refusal(`The query is nested too deeply; the limit is ${LIMITS.queryDepth} levels.`);
  }
  if (!(error instanceof GraphQLError)) return error;
  if (/contains more than? \d+ tokens/i.test(error.message)) {
    return refusal(`The query has too many tokens; the limit is ${LIMITS.queryTokens}.`);
  }
  return withCode(error);
}

/** GraphQL's own complaints about a document, with the code that this API gives them. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions["code"] !== undefined) return error;
  const { extensions } = refusal(error.message);
  return new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    extensions,
  });
}

/**
 * Which documents are executed: a plugin, so that HTTP, server-sent events and WebSocket, which all go through the
 * same envelope, refuse the same ones.
 */
export function useAdmission(): Plugin {
  const admitted = new WeakSet<DocumentNode>();
  return {
    onParse: ({ setParseFn }) => {
      setParseFn(parseBounded);
      return ({ result, replaceParseResult }) => {
        if (result === null || result instanceof Error || admitted.has(result)) return;
        const error = refusalOf(result);
        if (error === null) admitted.add(result);
        else replaceParseResult(error);
      };
    },
    onValidate:
      () =>
      ({ result, setResult }) => {
        const errors: readonly unknown[] = result;
        setResult(errors.filter((error) => error instanceof GraphQLError).map(withCode));
      },
  };
}
