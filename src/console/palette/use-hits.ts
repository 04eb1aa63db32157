import { useEffect, useState } from "react";
import { SearchDocument } from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import type { Hit } from "./entries.ts";

/** The answer to the search of a text. */
export interface Hits {
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly isSearching: boolean;
  readonly problem: string | null;
}

/** A person who types has not finished: the search begins once no letter has come for this long. */
const PAUSE_MS = 150;
/** The API takes no longer text. */
const LONGEST = 200;

/** Searches for a text after a pause. An answer that comes after another letter is dropped. */
export function useHits(typed: string): Hits {
  const text = typed.trim().slice(0, LONGEST);
  const [found, setFound] = useState<Hits>({ text: "", hits: [], isSearching: false, problem: null });
  useEffect(() => {
    if (text === "") return undefined;
    let isCurrent = true;
    const show = (answer: Partial<Hits>): void => {
      if (isCurrent) setFound({ text, hits: [], isSearching: false, problem: null, ...answer });
    };
    const timer = setTimeout(() => {
      client.request(SearchDocument, { text }).then(
        ({ search }) => show({ hits: search }),
        (error: unknown) => show({ problem: error instanceof Error ? error.message : String(error) }),
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found.text === text ? found : { text, hits: [], isSearching: text !== "", problem: null };
}
