import { type RollbackItemFragment, WorkspaceRollbackNowDocument } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm } from "../parts/entry-commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { choiceText } from "../parts/words.ts";
import {
  changedRollback,
  GUARD_TYPES,
  type GuardEntry,
  guardEntries,
  readGuard,
  ROLLBACK_MODES,
} from "./rollback-input.ts";
import { SettingsForm } from "./settings-form.tsx";
import { type SettingsList, settingsList } from "./settings-list.ts";
import type { SettingsSection } from "./settings-section.ts";

const RollbackFields = lazyPart(() => import("./rollback-fields.tsx"), "RollbackFields");
const GuardFields = lazyPart(() => import("./guard-fields.tsx"), "GuardFields");

/** How a workspace goes back after an apply that does not pass its verification, and the values that guard it. */
export function Rollback({ settings, ...section }: SettingsSection & { settings: RollbackItemFragment }) {
  const list = guardList(section);
  return (
    <section className="panel" aria-label="Rollback">
      <h2>Rollback</h2>
      {list !== null && (
        <Commands>
          <SettingsForm
            section={section}
            label="Change the rollback"
            subject="Rollback"
            read={(form) => ({ rollbackSettings: changedRollback(form) })}
          >
            <RollbackFields mode={settings.mode} />
          </SettingsForm>
          <EntryForm list={list} readEntry={readGuard}>
            <GuardFields />
          </EntryForm>
        </Commands>
      )}
      <Facts>
        <Fact name="After an apply that does not pass">{choiceText(ROLLBACK_MODES, settings.mode)}</Fact>
      </Facts>
      {settings.guards.length > 0 && <GuardTable entries={guardEntries(settings)} list={list} />}
    </section>
  );
}

function GuardTable({ entries, list }: { entries: readonly GuardEntry[]; list: SettingsList<GuardEntry> | null }) {
  return (
    <Table
      label="Values that must be the same as then"
      heads={["Guard", "Kind", ...(list === null ? [] : ["Commands"])]}
    >
      {entries.map((entry) => (
        <tr key={entry.name}>
          <td>
            {entry.name}. <code>{visible(entry.guard.name)}</code>
          </td>
          <td>{choiceText(GUARD_TYPES, entry.guard.type)}</td>
          {list !== null && (
            <td>
              <Commands>
                <EntryForm list={list} entry={entry} readEntry={readGuard}>
                  <GuardFields entry={entry} />
                </EntryForm>
                <DeleteEntry list={list} entry={entry} text="A run to go back does not wait for it any more." />
              </Commands>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

const guardList = (section: SettingsSection) =>
  settingsList(section, {
    field: "rollbackSettings.guards",
    noun: "guard",
    document: WorkspaceRollbackNowDocument,
    entriesOf: ({ rollbackSettings }) => guardEntries(rollbackSettings),
    inputOf: (entries) => ({ rollbackSettings: { guards: entries.map(({ guard }) => guard) } }),
  });
