import { Link } from "@tanstack/react-router";
import type { WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { changedOf, entriesOfField, textOfField } from "../parts/field.ts";
import { lazyPart } from "../parts/lazy-part.ts";
import { visible } from "../parts/visible.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";

const RunnerChoiceFields = lazyPart(() => import("./runner-choice-fields.tsx"), "RunnerChoiceFields");

interface RunnerChoiceOf extends SettingsSection {
  readonly organization: string;
  readonly pool: NonNullable<WorkspaceSettingsQuery["workspace"]>["runnerPool"];
  readonly labels: readonly string[];
  readonly canSeePool: boolean;
}

/** The runners that take the runs of a workspace. */
export function RunnerChoice({ organization, pool, labels, canSeePool, ...section }: RunnerChoiceOf) {
  return (
    <section className="panel" aria-label="Runners">
      <h2>Runners</h2>
      {section.canWrite && (
        <Commands>
          <SettingsForm section={section} label="Choose the runners" subject="Runners" read={readRunners}>
            <RunnerChoiceFields organization={organization} pool={pool} labels={labels} />
          </SettingsForm>
        </Commands>
      )}
      <Facts>
        {canSeePool && (
          <Fact name="Pool">
            {pool == null ? (
              "none: shared runners, and pools that are not reserved"
            ) : (
              <Link to="/o/$organization/runners" params={{ organization }}>
                {visible(pool.name)}
              </Link>
            )}
          </Fact>
        )}
        <Fact name="Labels of runners">{labels.length === 0 ? "any" : labels.map(visible).join(", ")}</Fact>
      </Facts>
    </section>
  );
}

const readRunners = (form: HTMLFormElement) =>
  changedOf(form, {
    runnerPoolId: textOfField(form, "runnerPoolId") || null,
    runnerLabels: entriesOfField(form, "runnerLabels"),
  });
