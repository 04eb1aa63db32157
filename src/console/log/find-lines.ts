import { LogMatchesDocument } from "../generated/graphql.ts";
import { client } from "../live/link.ts";

/** The lines of a log that have a text, as far as it was searched. */
export interface FoundLines {
  readonly text: string;
  readonly numbers: readonly number[];
  /** The last line that was searched. */
  readonly searchedTo: number;
  /** Whether lines are left to search. */
  readonly isSearching: boolean;
  /** Whether there may be more lines than are listed. */
  readonly isCut: boolean;
  readonly problem: string | null;
}

/** A person makes no use of more lines: the text has to be narrower. */
const MOST = 2000;

/** Searches a whole log on the server, and reports the lines that were found so far until it ends or is aborted. */
export async function findLines(
  runId: string,
  text: string,
  { signal, onFound }: { signal: AbortSignal; onFound: (found: FoundLines) => void },
): Promise<void> {
  const numbers: number[] = [];
  let searchedTo = 0;
  let after: string | null = null;
  const report = (isSearching: boolean, problem: string | null = null): void => {
    const isCut = !isSearching && after !== null;
    if (!signal.aborted) onFound({ text, numbers: [...numbers], searchedTo, isSearching, isCut, problem });
  };
  report(true);
  try {
    do {
      const { run }: Awaited<ReturnType<typeof page>> = await page(runId, text, after);
      if (run == null) throw new Error("The run is gone.");
      const { edges, pageInfo } = run.logMatches;
      numbers.push(...edges.map(({ node }) => node.line.number));
      ({ searchedTo } = run.logMatches);
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
      report(after !== null);
    } while (after !== null && numbers.length < MOST && !signal.aborted);
    report(false);
  } catch (error) {
    report(false, error instanceof Error ? error.message : String(error));
  }
}

const page = (runId: string, text: string, after: string | null) =>
  client.request(LogMatchesDocument, { runId, text, after });
