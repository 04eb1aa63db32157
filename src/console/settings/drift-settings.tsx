import { type DriftSettingsItemFragment, WorkspaceDriftSettingsNowDocument } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm } from "../parts/entry-commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { choiceText } from "../parts/words.ts";
import {
  changedDrift,
  DRIFT_MODES,
  type IgnoredEntry,
  ignoredEntries,
  readIgnored,
  RECONCILIATIONS,
} from "./drift-input.ts";
import { SettingsForm } from "./settings-form.tsx";
import { type SettingsList, settingsList } from "./settings-list.ts";
import type { SettingsSection } from "./settings-section.ts";

const DriftFields = lazyPart(() => import("./drift-fields.tsx"), "DriftFields");
const IgnoredFields = lazyPart(() => import("./ignored-fields.tsx"), "IgnoredFields");

interface DriftSettingsOf extends SettingsSection {
  readonly settings: DriftSettingsItemFragment;
  /** Whether the person may set what starts runs. */
  readonly canDeploy: boolean;
}

/** How a workspace is checked for drift, the reaction to it, and the changes that are none. */
export function DriftSettings({ settings, canDeploy, ...section }: DriftSettingsOf) {
  const list = ignoredList(section);
  return (
    <section className="panel" aria-label="Checks for drift">
      <h2>Checks for drift</h2>
      <p className="quiet">A schedule with the action detect drift makes them.</p>
      {list !== null && (
        <Commands>
          <SettingsForm
            section={section}
            label="Change the checks"
            subject="Checks for drift"
            read={(form) => ({ drift: changedDrift(form) })}
          >
            <DriftFields settings={settings} canDeploy={canDeploy} />
          </SettingsForm>
          <EntryForm list={list} readEntry={readIgnored}>
            <IgnoredFields />
          </EntryForm>
        </Commands>
      )}
      <Facts>
        <Fact name="They look for drift">{choiceText(DRIFT_MODES, settings.mode)}</Fact>
        <Fact name="If they find it">{choiceText(RECONCILIATIONS, settings.reconcile)}</Fact>
      </Facts>
      {settings.ignore.length > 0 && <IgnoredTable entries={ignoredEntries(settings)} list={list} />}
    </section>
  );
}

function IgnoredTable({
  entries,
  list,
}: {
  entries: readonly IgnoredEntry[];
  list: SettingsList<IgnoredEntry> | null;
}) {
  return (
    <Table label="Changes that are no drift" heads={["No drift", "Attribute", ...(list === null ? [] : ["Commands"])]}>
      {entries.map((ignored) => (
        <tr key={ignored.name}>
          <td>
            {ignored.name}. <code>{visible(ignored.addressGlob)}</code>
          </td>
          <td>{ignored.attribute === "*" ? "every change" : <code>{visible(ignored.attribute)}</code>}</td>
          {list !== null && (
            <td>
              <Commands>
                <EntryForm list={list} entry={ignored} readEntry={readIgnored}>
                  <IgnoredFields ignored={ignored} />
                </EntryForm>
                <DeleteEntry list={list} entry={ignored} text="Later checks report such changes." />
              </Commands>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

const ignoredList = (section: SettingsSection) =>
  settingsList(section, {
    field: "drift.ignore",
    noun: "ignored change",
    document: WorkspaceDriftSettingsNowDocument,
    entriesOf: ({ driftSettings }) => ignoredEntries(driftSettings),
    inputOf: (entries) => ({
      drift: { ignore: entries.map(({ addressGlob, attribute }) => ({ addressGlob, attribute })) },
    }),
  });
