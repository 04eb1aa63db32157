/** The streamed events: for every server an equal operation, and equal lines. */

/** One event is a batch of so many lines, 1.6 KB of JSON. */
export const LINES = 10;
const AT = "2026-11-20T16:07:25.447Z";
/** As long as those of the product. */
export const CURSOR = "WzEsImxvZyBvZiBydW5fMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDEiLDEwXQ";

export const LOG_QUERY =
  "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { cursor lines { number at text } } } }";

export interface Line {
  readonly number: number;
  readonly at: string;
  readonly text: string;
}

export function linesAfter(after: number): Line[] {
  return Array.from({ length: LINES }, (_, index) => ({
    number: after + index + 1,
    at: AT,
    text: `aws_instance.web[${index}]: Still creating... [${index}0s elapsed] id=i-0abcdef1234567890 subnet=subnet-0a1b2c3d4e5f`,
  }));
}
