import { PromoteDocument, RetryDocument, type RunPageFragment } from "../generated/graphql.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { useOpenRun } from "../runs/run-link.tsx";
import { GoBack, RunMessage } from "./go-back.tsx";

/** The commands that make a new run from one that has ended. The page of the new run opens. */
export function FollowUps({ run }: { run: RunPageFragment }) {
  const openRun = useOpenRun();
  const allows = (name: string): boolean => run.actions.some(({ action, allowed }) => action === name && allowed);
  const { id: runId } = run;
  return (
    <>
      {allows("RETRY") && (
        <FormCommand
          document={RetryDocument}
          label="Run again"
          title="Run it again"
          submit="Run it again"
          inputOf={() => ({ runId })}
          onDone={({ run: created }) => openRun(created)}
        >
          <p>A new run has the source and the settings of this one.</p>
        </FormCommand>
      )}
      {allows("PROMOTE") && (
        <FormCommand
          document={PromoteDocument}
          label="Deploy what was planned"
          title="Deploy what was planned"
          submit="Deploy what was planned"
          inputOf={(form) => ({ runId, message: textOfField(form, "message") || null })}
          onDone={({ run: created }) => openRun(created)}
        >
          <p>A new run deploys the source of this one. It plans again, and waits at its gates.</p>
          <RunMessage />
        </FormCommand>
      )}
      {allows("ROLLBACK") && <GoBack run={run} label="Go back to this run" />}
    </>
  );
}
