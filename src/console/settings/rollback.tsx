import {
  type RollbackItemFragment,
  UpdateWorkspaceDocument,
  type UpdateWorkspaceInput,
  type UpdateWorkspaceMutation,
  WorkspaceRollbackNowDocument,
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
  changedRollback,
  GUARD_TYPES,
  type GuardEntry,
  guardEntries,
  readGuard,
  ROLLBACK_MODES,
} from "./rollback-input.ts";
import type { SettingsSection } from "./settings-section.ts";

const RollbackFields = lazyPart(() => import("./rollback-fields.tsx"), "RollbackFields");
const GuardFields = lazyPart(() => import("./guard-fields.tsx"), "GuardFields");

/** How a workspace goes back after an apply that does not pass its verification, and the values that guard it. */
export function Rollback({
  workspaceId,
  name,
  settings,
  canWrite,
  onChange,
}: SettingsSection & { settings: RollbackItemFragment }) {
  const list = canWrite ? guardList(workspaceId, name, onChange) : null;
  return (
    <section className="panel" aria-label="Rollback">
      <h2>Rollback</h2>
      {list !== null && (
        <Commands>
          <FormCommand
            document={UpdateWorkspaceDocument}
            label="Change the rollback"
            title={`Rollback of ${name}`}
            submit="Change the rollback"
            inputOf={(form) => ({ workspaceId, rollbackSettings: changedRollback(form) })}
            onDone={onChange}
          >
            <RollbackFields mode={settings.mode} />
          </FormCommand>
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

type GuardList = EntryList<UpdateWorkspaceMutation, UpdateWorkspaceInput, GuardEntry>;

function GuardTable({ entries, list }: { entries: readonly GuardEntry[]; list: GuardList | null }) {
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

function guardList(workspaceId: string, owner: string, onDone: () => void): GuardList {
  return {
    document: UpdateWorkspaceDocument,
    field: "rollbackSettings.guards",
    noun: "guard",
    owner,
    read: async () => {
      const { workspace } = await client.request(WorkspaceRollbackNowDocument, { id: workspaceId });
      return workspace == null ? null : guardEntries(workspace.rollbackSettings);
    },
    inputOf: (entries) => ({ workspaceId, rollbackSettings: { guards: entries.map(({ guard }) => guard) } }),
    onDone,
  };
}
