import type { WorkspaceHoldsFragment } from "../generated/graphql.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { HoldCommands } from "./hold-commands.tsx";
import { InterruptedApply } from "./interrupted-apply.tsx";

/** Why no run of a workspace goes further, and the commands about that. */
export function Holds({ workspace, onDone }: { workspace: WorkspaceHoldsFragment; onDone: () => void }) {
  const { lock, stateLock, paused } = workspace;
  const isInterrupted = lock?.reason === "APPLY_INTERRUPTED";
  return (
    <section className="panel" aria-label="Holds">
      {isInterrupted && <InterruptedApply workspace={workspace} onDone={onDone} />}
      {lock != null && !isInterrupted && (
        <p>
          Locked{lock.actor != null && ` by ${visible(lock.actor.name)}`}, <Ago at={lock.since} />
          {lock.note != null && `: ${visible(lock.note)}`}
        </p>
      )}
      {stateLock != null && (
        <p>
          The state is locked by {visible(stateLock.who)} for {visible(stateLock.operation)},{" "}
          <Ago at={stateLock.since} />
        </p>
      )}
      {paused && <p>Paused: new runs wait.</p>}
      <HoldCommands workspace={workspace} onDone={onDone} />
    </section>
  );
}
