/** Words that texts of the project avoid, and what to write instead. Matched as whole words, in any case. */
export const RETIRED_WORDS: readonly (readonly [pattern: string, instead: string])[] = [
  // In quotes it is the account of Unix.
  [
    'whoever|somebody|anybody|(?<!")nobody(?!")|everybody',
    "name the subject: the client, the runner, a second writer, no one",
  ],
  ["whatever|wherever|whichever", "name what is meant"],
  ["anew", "again"],
  ["go on|goes on|going on|went on", "continue, proceed, start"],
  ["tell|tells|telling|told", "notify, report, send, return"],
  ["hear|hears|hearing|heard", "receive, be notified, see"],
  ["news", "change, event"],
  ["say|says|saying|said", "state, report, show, return, document"],
  ["stand|stands|stood", "is, lies, holds, is listed"],
  ["looked at|looks at|look at|looking at", "read, check, review, inspect"],
  ["all the same", "nevertheless, anyway"],
  ["in vain", "without success"],
  ["by itself|by themselves", "automatically, on its own"],
  ["surroundings|scenery", "conditions, context"],
];

/** Openings of a docblock that do not stand alone. */
export const RETIRED_OPENINGS = /^\s*(?:\/\*\*|\/\/)?\s*(?:The same|What|Who|Whose|Of)\b/;
