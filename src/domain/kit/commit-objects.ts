/** An entry of a folder, as git has it. */
export interface TreeEntry {
  name: string;
  /** `040000`: a folder, `120000`: a link, `160000`: a submodule, others: files. */
  mode: string;
  oid: string;
}

/** The bytes that reads may still take together. */
export interface ReadBudget {
  left: number;
}

/** Gives the objects of a commit. Requests of one turn of the event loop are sent together. */
export interface CommitObjects {
  commit: string;
  /** The oid of the root folder. */
  rootTree: string;
  readTree: (oid: string) => Promise<readonly TreeEntry[]>;
  /** Returns `null` for a file of more than `maxBytes`. */
  readBlob: (oid: string, maxBytes: number) => Promise<Buffer | null>;
}

export const FOLDER = "040000";
export const LINK = "120000";
export const SUBMODULE = "160000";
