/** The schema of the peers of streams: what of the product's the operation needs. */
import { CURSOR, type Line, LINES, linesAfter } from "../streams/event.ts";

export const STREAM_TYPES = `
  type LogLine { number: Int! at: String! text: String! }
  type LogBatch { cursor: String! lines: [LogLine!]! }
  type CursorExpired { cursor: String! }
  union LogStreamItem = LogBatch | CursorExpired
  type Query { ok: Boolean }
  type Subscription { runLog(runId: ID!): LogStreamItem! }
`;

export interface Batch {
  readonly __typename: "LogBatch";
  readonly cursor: string;
  readonly lines: readonly Line[];
}

/** Gives the next batch of a run with every event. */
export function createBatches(): () => Batch {
  let length = 0;
  return () => {
    const lines = linesAfter(length);
    length += LINES;
    return { __typename: "LogBatch", cursor: CURSOR, lines };
  };
}
