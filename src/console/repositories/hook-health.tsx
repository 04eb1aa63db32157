import type { RepositoryRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";

/** A later release may have more of them. */
const HOOKS: Readonly<Record<string, readonly [tone: Tone, words: string]>> = {
  WORKING: ["good", "hooks arrive"],
  MISSING: ["bad", "hooks are missing"],
  UNPROVEN: ["quiet", "no hook yet"],
};

/** Whether the hooks of the host of a repository arrive. */
export function HookHealth({ health }: { health: string }) {
  const [tone, words] = HOOKS[health] ?? ["quiet", wordsOf(health)];
  return <Mark tone={tone}>{words}</Mark>;
}

/** When the refs of a repository were read, and why they could not be read the last time. */
export function PollState({ repository: { polledAt, pollSeconds, pollError } }: { repository: RepositoryRowFragment }) {
  return (
    <>
      {polledAt == null ? "not read yet" : <Ago at={polledAt} />}
      <span className="quiet">
        , {pollSeconds < 120 ? "every minute" : `every ${Math.round(pollSeconds / 60)} minutes`}
      </span>
      {pollError != null && <div className="problem">{visible(pollError)}</div>}
    </>
  );
}
