/** Bounds of the documents of plans. */
export const DOCUMENT_LIMITS = {
  /** The document of a plan: compressed, and as JSON. A runner sends 64 MiB of plan, and 5 MiB of custom input. */
  documentBytes: 64 * 1024 * 1024,
  documentRawBytes: 72 * 1024 * 1024,
  /** Its values and containers, which take memory when they are parsed. 64 MiB of a plan have about 1,900,000. */
  documentParts: 3_000_000,
  /** The depth of its JSON: readers may recurse. */
  documentDepth: 500,
  /** A smaller one is checked without a worker thread. */
  documentInlineBytes: 512 * 1024,
  /** Documents that one server checks at a time, and the memory of one check. */
  documentsCheckedAtOnce: 2,
  documentCheckMebibytes: 2048,
  customInputs: 20,
  /** Names of parts that were left out of a document, and their length. */
  truncatedParts: 50,
  truncatedPartLength: 80,
} as const;
