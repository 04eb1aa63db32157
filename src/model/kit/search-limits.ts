/** The limits of lists, searches and inboxes. */
export const SEARCH_LIMITS = {
  maxOffset: 10_000,
  countAtMost: 10_000,
  /** The text that one search for a page of matches reads, as much as a million lines of 60 bytes. */
  logSearchBytes: 64 * 1024 * 1024,
  logSearchesPerRequest: 2,
  /** Searches of logs that a server makes at a time, since each takes CPU time, and those of one caller. Others wait. */
  logSearchesAtOnce: 2,
  logSearchesPerToken: 1,
  logSpansPerLine: 100,
  searchTextLength: 200,
  /** Hits of a search over all kinds of objects, and the newest objects of each kind whose whole names it reads. */
  searchHits: 50,
  defaultSearchHits: 20,
  searchedNames: 10_000,
  /** Runs that an inbox considers, and how long a failure stays in it. */
  inboxRuns: 1000,
  inboxFailureMs: 7 * 24 * 60 * 60 * 1000,
  /** Inboxes that a server reads at a time for their streams, and the pause before one is read again. */
  inboxReadsAtOnce: 4,
  inboxPauseMs: 1000,
  /** The longest wait before an inbox is read without a hint: failures grow old, and people join teams. */
  inboxPollMs: 30_000,
  /** Searches without another bound in time see runs that were created since. */
  runSearchMs: 90 * 24 * 60 * 60 * 1000,
  idsPerFilter: 100,
  /** Different freeze windows that a filter by blockers evaluates; one takes 0.5 ms. */
  freezeWindowsRead: 100,
} as const;
