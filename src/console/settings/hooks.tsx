import { type HookItemFragment, WorkspaceHooksNowDocument } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm, RaiseEntry } from "../parts/entry-commands.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { entriesOf, hookInputOf, readHook } from "./hook-input.ts";
import { settingsList } from "./settings-list.ts";
import type { SettingsSection } from "./settings-section.ts";

const HookFields = lazyPart(() => import("./hook-fields.tsx"), "HookFields");

interface HooksOf extends SettingsSection {
  readonly hooks: readonly HookItemFragment[];
}

/** The commands before and after the steps of the engine, in their order. */
export function Hooks({ hooks, ...section }: HooksOf) {
  const list = hookList(section);
  if (hooks.length === 0 && list === null) return null;
  return (
    <section className="panel" aria-label="Hooks">
      <h2>Hooks</h2>
      {list !== null && (
        <Commands>
          <EntryForm list={list} readEntry={readHook}>
            <HookFields />
          </EntryForm>
        </Commands>
      )}
      {hooks.length === 0 && <p className="quiet">Nothing is performed before or after the steps of the engine.</p>}
      {hooks.length > 0 && (
        <Table label="Hooks" heads={["When", "Command", "Purpose", ...(list === null ? [] : ["Commands"])]}>
          {entriesOf(hooks).map((hook, at) => (
            <tr key={hook.name}>
              <td>
                {hook.name}. {wordsOf(hook.stage)}
              </td>
              <td>
                <code>{visible(hook.command)}</code>
              </td>
              <td>{wordsOf(hook.purpose)}</td>
              {list !== null && (
                <td>
                  <Commands>
                    <EntryForm list={list} entry={hook} readEntry={readHook}>
                      <HookFields hook={hook} />
                    </EntryForm>
                    {at > 0 && <RaiseEntry list={list} entry={hook} />}
                    <DeleteEntry
                      list={list}
                      entry={hook}
                      text="Later runs do not perform it. Runs that are there do."
                    />
                  </Commands>
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

const hookList = (section: SettingsSection) =>
  settingsList(section, {
    field: "hooks",
    noun: "hook",
    document: WorkspaceHooksNowDocument,
    entriesOf: ({ hooks }) => entriesOf(hooks),
    inputOf: (hooks) => ({ hooks: hooks.map(hookInputOf) }),
  });
