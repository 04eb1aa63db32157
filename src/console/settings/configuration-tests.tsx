import { type TestMode, UpdateWorkspaceDocument } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { changedOf, choiceOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ChoiceField } from "../parts/text-field.tsx";
import { choiceText, choicesWith } from "../parts/words.ts";
import type { SettingsSection } from "./settings-section.ts";

/** The tests that runs execute; the compiler finds a mode that is missing. */
const TEST_MODES: Readonly<Record<TestMode, string>> = {
  OFF: "None",
  PLAN_ONLY: "Those that create nothing",
  ALL: "All: they may create infrastructure",
};

/** The tests of the configuration that runs execute before their plan. */
export function ConfigurationTests({
  workspaceId,
  name,
  mode,
  canWrite,
  onChange,
}: SettingsSection & { mode: TestMode }) {
  return (
    <section className="panel" aria-label="Tests">
      <h2>Tests</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={UpdateWorkspaceDocument}
            label="Change the tests"
            title={`Tests of ${name}`}
            submit="Change the tests"
            inputOf={(form) => ({
              workspaceId,
              ...changedOf(form, { tests: choiceOfField(form, "tests", TEST_MODES) }),
            })}
            onDone={onChange}
          >
            <ChoiceField
              name="tests"
              label="Tests before a plan"
              choices={choicesWith(TEST_MODES, mode)}
              hint="Tests that create infrastructure do so with the credentials of the workspace, and destroy it at their end."
              defaultValue={mode}
            />
          </FormCommand>
        </Commands>
      )}
      <Facts>
        <Fact name="Tests before a plan">{choiceText(TEST_MODES, mode)}</Fact>
      </Facts>
    </section>
  );
}
