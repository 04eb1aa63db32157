import type { Refused } from "./refused.ts";
import { signInAgain } from "./sign-in-again.ts";
import { visible } from "./visible.ts";

/** The reason for which a command was refused. `null`: there is none. `isMarked`: each field shows its own problem. */
export function Refusal({ refused, isMarked = false }: { refused: Refused | null; isMarked?: boolean }) {
  return (
    <div role="alert" className="problem">
      {refused !== null && (
        <p>
          {isMarked ? "Nothing was done. Correct the fields that are marked." : visible(refused.message)}{" "}
          {refused.url !== null && <a href={signInAgain(refused.url)}>Sign in again</a>}
        </p>
      )}
    </div>
  );
}
