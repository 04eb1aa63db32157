import { setTimeout as pause } from "node:timers/promises";

interface Polling {
  /** How often it is looked for the answer at most: the clock may be set back meanwhile. */
  polls: number;
  pollMs: number;
  clock: () => Date;
  /** Behind this instant no answer is taken. */
  endsAt: string;
}

/** Looks for an answer until there is one; `null` if none came in time. */
export async function pollAnswer<Answer>(
  find: () => Promise<Answer | null>,
  { polls, pollMs, clock, endsAt }: Polling,
): Promise<Answer | null> {
  for (let poll = 0; poll < polls && clock().toISOString() < endsAt; poll++) {
    const answer = await find();
    if (answer !== null) return answer;
    await pause(pollMs);
  }
  return null;
}
