import type { GivenContext } from "./neutral-context.ts";

/** The document of a plan that tests of versions judge, with what is known beside it. */
export interface PolicyFixture {
  id: string;
  setId: string;
  /** Unique within the set. */
  name: string;
  planId: string;
  blobId: string;
  context: GivenContext;
  createdById: string;
  createdAt: string;
}
