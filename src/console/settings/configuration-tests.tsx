import type { TestMode } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { changedOf, choiceOfField } from "../parts/field.ts";
import { ChoiceField } from "../parts/text-field.tsx";
import { choiceText, choicesWith } from "../parts/words.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";

/** The tests that runs execute; the compiler finds a mode that is missing. */
const TEST_MODES: Readonly<Record<TestMode, string>> = {
  OFF: "None",
  PLAN_ONLY: "Those that create nothing",
  ALL: "All: they may create infrastructure",
};

/** The tests of the configuration that runs execute before their plan. */
export function ConfigurationTests({ mode, ...section }: SettingsSection & { mode: TestMode }) {
  return (
    <section className="panel" aria-label="Tests">
      <h2>Tests</h2>
      {section.canWrite && (
        <Commands>
          <SettingsForm
            section={section}
            label="Change the tests"
            subject="Tests"
            read={(form) => changedOf(form, { tests: choiceOfField(form, "tests", TEST_MODES) })}
          >
            <ChoiceField
              name="tests"
              label="Tests before a plan"
              choices={choicesWith(TEST_MODES, mode)}
              hint="Tests that create infrastructure do so with the credentials of the workspace, and destroy it at their end."
              defaultValue={mode}
            />
          </SettingsForm>
        </Commands>
      )}
      <Facts>
        <Fact name="Tests before a plan">{choiceText(TEST_MODES, mode)}</Fact>
      </Facts>
    </section>
  );
}
