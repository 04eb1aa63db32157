import {
  type DriftSettingsItemFragment,
  UpdateWorkspaceDocument,
  type UpdateWorkspaceInput,
  type UpdateWorkspaceMutation,
  WorkspaceDriftSettingsNowDocument,
} from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm, type EntryList } from "../parts/entry-commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { FormCommand } from "../parts/form-command.tsx";
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
import type { SettingsSection } from "./settings-section.ts";

const DriftFields = lazyPart(() => import("./drift-fields.tsx"), "DriftFields");
const IgnoredFields = lazyPart(() => import("./ignored-fields.tsx"), "IgnoredFields");

interface DriftSettingsOf extends SettingsSection {
  readonly settings: DriftSettingsItemFragment;
  /** Whether the person may set what starts runs. */
  readonly canDeploy: boolean;
}

/** How a workspace is checked for drift, the reaction to it, and the changes that are none. */
export function DriftSettings({ workspaceId, name, settings, canWrite, canDeploy, onChange }: DriftSettingsOf) {
  const list = canWrite ? ignoredList(workspaceId, name, onChange) : null;
  return (
    <section className="panel" aria-label="Checks for drift">
      <h2>Checks for drift</h2>
      <p className="quiet">A schedule with the action detect drift makes them.</p>
      {list !== null && (
        <Commands>
          <FormCommand
            document={UpdateWorkspaceDocument}
            label="Change the checks"
            title={`Checks for drift of ${name}`}
            submit="Change the checks"
            inputOf={(form) => ({ workspaceId, drift: changedDrift(form) })}
            onDone={onChange}
          >
            <DriftFields settings={settings} canDeploy={canDeploy} />
          </FormCommand>
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

type IgnoredList = EntryList<UpdateWorkspaceMutation, UpdateWorkspaceInput, IgnoredEntry>;

function IgnoredTable({ entries, list }: { entries: readonly IgnoredEntry[]; list: IgnoredList | null }) {
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

function ignoredList(workspaceId: string, owner: string, onDone: () => void): IgnoredList {
  return {
    document: UpdateWorkspaceDocument,
    field: "drift.ignore",
    noun: "ignored change",
    owner,
    read: async () => {
      const { workspace } = await client.request(WorkspaceDriftSettingsNowDocument, { id: workspaceId });
      return workspace == null ? null : ignoredEntries(workspace.driftSettings);
    },
    inputOf: (entries) => {
      const ignore = entries.map(({ addressGlob, attribute }) => ({ addressGlob, attribute }));
      return { workspaceId, drift: { ignore } };
    },
    onDone,
  };
}
