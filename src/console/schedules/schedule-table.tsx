import { Link } from "@tanstack/react-router";
import { ChangesetLink } from "../changesets/changeset-link.tsx";
import type { Permission, ScheduleRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { ScheduleCommands } from "./schedule-commands.tsx";
import { allowsAction, wordsOfAction } from "./scheduled-actions.ts";

interface ScheduleTableOf {
  readonly label: string;
  readonly schedules: readonly ScheduleRowFragment[];
  readonly organization: string;
  /** The permissions of the person in the organization. */
  readonly permissions: readonly Permission[];
  readonly onChange: () => void;
}

/** Schedules with their times, their results, and the commands about them. */
export function ScheduleTable({ label, schedules, organization, permissions, onChange }: ScheduleTableOf) {
  return (
    <Table label={label} heads={["Schedule", "Times", "Next", "Last", "Owner", "Commands"]}>
      {schedules.map((schedule) => (
        <tr key={schedule.id}>
          <td>
            <strong>{visible(schedule.name)}</strong>
            <div>{wordsOfAction(schedule.action)}</div>
            {schedule.command != null && <code>{visible(schedule.command)}</code>}
            <div className="quiet">
              <Target schedule={schedule} organization={organization} />
            </div>
          </td>
          <td>
            <code>{visible(schedule.cron)}</code>
            <div className="quiet">
              {visible(schedule.timeZone)}
              {schedule.spreadMinutes > 0 && `, spread over ${schedule.spreadMinutes} min`}
            </div>
          </td>
          <td>
            <Next schedule={schedule} />
          </td>
          <td>
            <Last schedule={schedule} organization={organization} />
          </td>
          <td>{visible(schedule.owner.name)}</td>
          <td>
            {allowsAction(schedule.workspace?.viewerPermissions ?? permissions, schedule.action) && (
              <ScheduleCommands schedule={schedule} onChange={onChange} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface CellOf {
  readonly schedule: ScheduleRowFragment;
  readonly organization: string;
}

/** Where the runs of a schedule are made. */
function Target({ schedule: { workspace, label, stage, pipeline }, organization }: CellOf) {
  if (workspace != null) {
    return (
      <>
        in{" "}
        <Link to="/o/$organization/w/$workspace" params={{ organization, workspace: workspace.name }}>
          {workspace.name}
        </Link>
      </>
    );
  }
  if (label != null) return <>in workspaces with {visible(label)}</>;
  if (stage == null) return <>in a workspace that you may not see</>;
  return (
    <>
      {visible(stage)} of {pipeline == null ? "a pipeline that was deleted" : visible(pipeline.name)}
    </>
  );
}

function Next({ schedule: { enabled, nextAt } }: Pick<CellOf, "schedule">) {
  if (!enabled) return <Mark tone="quiet">switched off</Mark>;
  return nextAt == null ? <span className="problem">never again</span> : <Ago at={nextAt} />;
}

function Last({ schedule: { lastAt, lastChangeset, lastProblem }, organization }: CellOf) {
  return (
    <>
      {lastAt == null ? <span className="quiet">never</span> : <Ago at={lastAt} />}
      {lastChangeset != null && (
        <div>
          <ChangesetLink organization={organization} changeset={lastChangeset} />
        </div>
      )}
      {lastProblem != null && <div className="problem">{visible(lastProblem)}</div>}
    </>
  );
}
