import type { ActorCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunComment } from "../../model/run/run-comment.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { insertRunComment } from "../../persistence/run/run-comment-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { CommentOnRunInput } from "./approval-commands.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { commandRun } from "./run-command.ts";

/**
 * Adds a comment to a run in any status. On a live run it is also an event. An ended run does not change, so only the
 * list of comments shows it.
 */
export async function commentOnRun(
  deps: Deps,
  caller: ActorCaller,
  { runId, text }: CommentOnRunInput,
): Promise<{ run: Run; comment: RunComment }> {
  const at = deps.clock().toISOString();
  const comment: RunComment = { id: deps.newId("comment"), runId, actorId: caller.actor.id, text, at };
  const spec = {
    name: "commentOnRun",
    permission: "RUN_COMMENT",
    words: "commenting on runs",
    runId,
    comment: null,
    check: (check) => {
      check.text("text", text);
      check.require(text.trim() !== "", "text", "must not be empty.");
    },
  } satisfies Parameters<typeof commandRun>[2];
  const run = await commandRun(deps, caller, spec, async (tx, locked) => {
    await insertRunComment(tx, comment);
    if (isTerminal(locked.run.status)) return locked.run;
    const events = [{ type: "CHANGED" as const, fields: ["comments"] }];
    return recordUpdate(tx, deps, locked.run, { actorId: caller.actor.id, events });
  });
  return { run, comment };
}
