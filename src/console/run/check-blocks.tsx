import type { CheckBlocksFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** The results of the check blocks of a configuration, of a run or of the state of a workspace. */
export function CheckBlocks({ checks }: { checks: CheckBlocksFragment }) {
  const { afterApply, count, failedCount, blocks } = checks;
  return (
    <section aria-label="Check blocks">
      <h3>
        Check blocks{" "}
        <span className="quiet">
          {failedCount} of {count} failed, {afterApply ? "after the apply" : "in the plan"}
        </span>
      </h3>
      <ul>
        {blocks.map(({ address, status, problems }) => (
          <li key={address}>
            <code>{visible(address)}</code> <strong>{wordsOf(status)}</strong>
            {problems.map((problem) => (
              <div key={problem}>{visible(problem)}</div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
