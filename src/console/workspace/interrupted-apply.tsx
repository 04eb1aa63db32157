import {
  AdoptRecoveredStateDocument,
  DiscardRecoveredStateDocument,
  type WorkspaceHoldsFragment,
} from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Ago } from "../parts/time.tsx";
import { RunLink } from "../runs/run-link.tsx";
import { NoteCommand } from "./note-command.tsx";

type RecoveredState = NonNullable<WorkspaceHoldsFragment["lock"]>["recoveredStates"][number];

interface InterruptedApplyProps {
  readonly workspace: WorkspaceHoldsFragment;
  /** Reads the workspace again. */
  readonly onDone: () => void;
}

/** The way out of an apply whose result is not known, in the order in which its steps are safe. */
export function InterruptedApply({ workspace, onDone }: InterruptedApplyProps) {
  const { lock, currentStateVersion } = workspace;
  if (lock == null) return null;
  const { recoveredStates } = lock;
  return (
    <>
      <h2>State unknown</h2>
      <p>
        An apply{lock.run != null && " of "}
        {lock.run != null && <RunLink run={lock.run} />} was interrupted, <Ago at={lock.since} />. It may have changed
        more than the state shows. The workspace is locked so that nothing makes it worse.
      </p>
      <ol>
        <li>
          {recoveredStates.length === 0
            ? "No state that came after the end of the run waits for a decision."
            : "Decide about the state that came after the end of the run."}
          {currentStateVersion != null && (
            <span className="quiet">
              {" "}
              The current one is serial {currentStateVersion.serial}, {resourcesOf(currentStateVersion.resourceCount)}.
            </span>
          )}
          <ul>
            {recoveredStates.map((state) => (
              <li key={state.id}>
                serial {state.serial}, {resourcesOf(state.resourceCount)}, <Ago at={state.receivedAt} />{" "}
                <a href={`/state-versions/${encodeURIComponent(state.id)}`} download={`${state.id}.tfstate`}>
                  As a file
                </a>
                <StateDecision workspace={workspace} state={state} onDone={onDone} />
              </li>
            ))}
          </ul>
        </li>
        <li>Check the infrastructure: what the run was about to create may exist already.</li>
        <li>Unlock the workspace by force, and start a new run: its plan shows what is left.</li>
      </ol>
    </>
  );
}

function StateDecision({ workspace, state, onDone }: InterruptedApplyProps & { state: RecoveredState }) {
  const { id: recoveredStateId } = state;
  if (!workspace.actions.some(({ action, allowed }) => action === "IMPORT_STATE" && allowed)) return null;
  return (
    <Commands>
      <NoteCommand
        document={AdoptRecoveredStateDocument}
        label="Adopt this state"
        of={workspace.name}
        effect="It becomes the current state of the workspace, as a version of the run that made it."
        inputOf={(note) => ({ recoveredStateId, note })}
        onDone={onDone}
      />
      <NoteCommand
        document={DiscardRecoveredStateDocument}
        label="Discard this state"
        of={workspace.name}
        effect="It waits for no decision any more, and stays readable."
        inputOf={(note) => ({ recoveredStateId, note })}
        onDone={onDone}
      />
    </Commands>
  );
}

const resourcesOf = (count: number | null | undefined): string =>
  count == null ? "an unknown number of resources" : `${count} ${count === 1 ? "resource" : "resources"}`;
