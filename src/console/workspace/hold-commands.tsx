import {
  ForceUnlockStateDocument,
  LockWorkspaceDocument,
  UnlockWorkspaceDocument,
  UpdateWorkspaceDocument,
  type WorkspaceHoldsFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { NoteCommand } from "./note-command.tsx";

interface HoldCommandsProps {
  readonly workspace: WorkspaceHoldsFragment;
  /** Reads the workspace again. */
  readonly onDone: () => void;
}

/** The commands that hold a workspace, and that let it go. */
export function HoldCommands({ workspace, onDone }: HoldCommandsProps) {
  const { id: workspaceId, name: of, stateLock } = workspace;
  const allows = (action: string): boolean =>
    workspace.actions.some((known) => known.action === action && known.allowed);
  return (
    <Commands>
      {allows("LOCK") && (
        <NoteCommand
          document={LockWorkspaceDocument}
          label="Lock"
          of={of}
          effect="No run begins and nothing is applied until it is unlocked. A run that executes continues."
          inputOf={(note) => ({ workspaceId, note })}
          onDone={onDone}
        />
      )}
      {allows("UNLOCK") && (
        <NoteCommand
          document={UnlockWorkspaceDocument}
          label="Unlock"
          of={of}
          effect="Runs begin again."
          inputOf={(note) => ({ workspaceId, note, force: false })}
          onDone={onDone}
        />
      )}
      {allows("FORCE_UNLOCK") && (
        <NoteCommand
          document={UnlockWorkspaceDocument}
          label="Unlock by force"
          of={of}
          effect="It removes a lock that is not yours. After an interrupted apply, check the infrastructure first."
          inputOf={(note) => ({ workspaceId, note, force: true })}
          onDone={onDone}
        />
      )}
      {allows("FORCE_UNLOCK_STATE") && stateLock != null && (
        <Command
          document={ForceUnlockStateDocument}
          label="Break the lock of the state"
          question={{
            title: `Break the lock of the state of ${of}`,
            text: "An engine that still works with this state can damage it.",
          }}
          input={{ workspaceId, lockId: stateLock.id }}
          onDone={onDone}
        />
      )}
      {allows("PAUSE") && (
        <Command
          document={UpdateWorkspaceDocument}
          label="Pause"
          input={{ workspaceId, paused: true }}
          onDone={onDone}
        />
      )}
      {allows("RESUME") && (
        <Command
          document={UpdateWorkspaceDocument}
          label="Resume"
          input={{ workspaceId, paused: false }}
          onDone={onDone}
        />
      )}
    </Commands>
  );
}
