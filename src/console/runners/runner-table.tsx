import {
  DrainRunnerDocument,
  ResumeRunnerDocument,
  RevokeRunnerDocument,
  type RunnerRowFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";

/** A later release may have more states, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = { IDLE: "good", BUSY: "busy", DRAINING: "asks", OFFLINE: "bad" };

interface RunnersOf {
  readonly label: string;
  readonly runners: readonly RunnerRowFragment[];
  readonly canCommand: boolean;
  readonly onChange: () => void;
}

/** Runners with their state and their jobs. Those at work are first; those that were revoked are last. */
export function RunnerTable({ label, runners, canCommand, onChange }: RunnersOf) {
  const sorted = runners.toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
  return (
    <Table label={label} heads={["Runner", "State", "Version", "Labels", "Jobs", ...(canCommand ? ["Commands"] : [])]}>
      {sorted.map((runner) => (
        <tr key={runner.id}>
          <td>
            <strong>{visible(runner.name)}</strong>
          </td>
          <td>
            <State runner={runner} />
          </td>
          <td>
            {visible(runner.version)}
            {runner.engine != null && (
              <span className="quiet"> {visible(`${runner.engine.name} ${runner.engine.version}`)}</span>
            )}
          </td>
          <td>{visible(runner.labels.join(", "))}</td>
          <td>
            <Jobs runner={runner} />
          </td>
          {canCommand && (
            <td>
              <RunnerCommands runner={runner} onChange={onChange} />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

function rankOf({ state, revokedAt }: RunnerRowFragment): number {
  if (revokedAt != null) return 3;
  return state === "OFFLINE" ? 2 : 1;
}

function State({ runner: { state, revokedAt, lastSeenAt } }: { runner: RunnerRowFragment }) {
  if (revokedAt != null) {
    return (
      <Mark tone="quiet">
        revoked <Ago at={revokedAt} />
      </Mark>
    );
  }
  return (
    <Mark tone={TONES[state] ?? "busy"}>
      {wordsOf(state)}
      {state === "OFFLINE" && (
        <>
          , last seen <Ago at={lastSeenAt} />
        </>
      )}
    </Mark>
  );
}

function Jobs({ runner: { jobs, slots } }: { runner: RunnerRowFragment }) {
  return (
    <>
      {jobs.map(({ run, leg, since, leaseEndsAt }) => (
        <div key={run.id}>
          <RunLink run={run} /> {wordsOf(leg)}{" "}
          <span className="quiet">
            since <Ago at={since} />, lease ends <Ago at={leaseEndsAt} />
          </span>
        </div>
      ))}
      <span className="quiet">
        {jobs.length} of {slots} {slots === 1 ? "slot" : "slots"}
      </span>
    </>
  );
}

function RunnerCommands({ runner, onChange }: { runner: RunnerRowFragment; onChange: () => void }) {
  const { id, state, jobs, revokedAt, drainRequestedAt } = runner;
  const input = { runnerId: id };
  const isHeld = revokedAt != null || drainRequestedAt != null;
  const atWork = jobs.find(({ leg }) => leg === "APPLY" || leg === "DESTROY" || leg === "TASK");
  const name = visible(runner.name);
  return (
    <>
      {isHeld ? (
        <Command key="resume" document={ResumeRunnerDocument} input={input} label="Resume" onDone={onChange} />
      ) : (
        <Command
          key="drain"
          document={DrainRunnerDocument}
          input={input}
          label="Drain"
          disabled={state === "OFFLINE"}
          onDone={onChange}
        />
      )}{" "}
      {revokedAt == null && (
        <Command
          document={RevokeRunnerDocument}
          input={{ ...input, force: atWork !== undefined }}
          label="Revoke"
          question={{
            title: `Revoke the runner ${name}`,
            text:
              atWork === undefined
                ? `${name} takes no more work. A plan that it makes now is made again by another one.`
                : `${name} works on ${atWork.run.workspace.name} #${atWork.run.number}. Its result will not be known, and the workspace will be locked.`,
          }}
          onDone={onChange}
        />
      )}
    </>
  );
}
