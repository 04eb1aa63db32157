import type { Refused } from "./refused.ts";
import { signInAgain } from "./sign-in-again.ts";
import { visible } from "./visible.ts";

interface RefusalOf {
  /** `null`: there is none. */
  readonly refused: Refused | null;
  /** Whether each field shows its own problem. */
  readonly isMarked?: boolean;
  /** Whether the command can no longer be sent. */
  readonly isLost?: boolean;
}

/** The reason for which a command was refused, and the step that is left to the person. */
export function Refusal({ refused, isMarked = false, isLost = false }: RefusalOf) {
  return (
    <div role="alert" className="problem">
      {refused !== null && (
        <p>
          {isMarked ? "Nothing was done. Correct the fields that are marked." : visible(refused.message)}{" "}
          {refused.isUncertain === true && (isLost ? CHECK_AND_CLOSE : CHECK_FIRST)}
          {refused.url !== null && <a href={signInAgain(refused.url)}>Sign in again</a>}
        </p>
      )}
    </div>
  );
}

const CHECK_FIRST = "Check the page before you send it again.";
/** It may be what has changed the page. */
const CHECK_AND_CLOSE = "It can no longer be sent: check on the page whether it was done, then close this.";
