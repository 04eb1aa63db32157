import { LRUCache } from "lru-cache";

interface Bounds {
  /** Documents that are kept at most. */
  documents: number;
  /** Characters of their text: one takes up to 210 bytes when it is parsed, and as much again when it is compiled. */
  characters: number;
}

const BOUNDS: Bounds = { documents: 1000, characters: 500_000 };
/** Longer documents are parsed each time: an operation that is sent again and again is shorter. */
const LONGEST = 10_000;

/** Keeps parsed documents by their text, so that an operation is parsed, validated and compiled once. */
export function createDocumentCache<Document extends object>(bounds = BOUNDS): LRUCache<string, Document> {
  return new LRUCache({
    max: bounds.documents,
    maxSize: bounds.characters,
    maxEntrySize: LONGEST,
    sizeCalculation: (_document, text) => text.length + 1,
  });
}
