import {
  type HookItemFragment,
  UpdateWorkspaceDocument,
  type UpdateWorkspaceInput,
  type UpdateWorkspaceMutation,
  WorkspaceHooksNowDocument,
} from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm, type EntryList, RaiseEntry } from "../parts/entry-commands.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { entriesOf, type HookEntry, hookInputOf, readHook } from "./hook-input.ts";

const HookFields = lazyPart(() => import("./hook-fields.tsx"), "HookFields");

interface HooksOf {
  readonly workspaceId: string;
  /** The name of the workspace. */
  readonly name: string;
  readonly hooks: readonly HookItemFragment[];
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The commands before and after the steps of the engine, in their order. */
export function Hooks({ workspaceId, name, hooks, canWrite, onChange }: HooksOf) {
  if (hooks.length === 0 && !canWrite) return null;
  const list = canWrite ? hookList(workspaceId, name, onChange) : null;
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

function hookList(
  workspaceId: string,
  owner: string,
  onDone: () => void,
): EntryList<UpdateWorkspaceMutation, UpdateWorkspaceInput, HookEntry> {
  return {
    document: UpdateWorkspaceDocument,
    field: "hooks",
    noun: "hook",
    owner,
    read: async () => {
      const { workspace } = await client.request(WorkspaceHooksNowDocument, { id: workspaceId });
      return workspace == null ? null : entriesOf(workspace.hooks);
    },
    inputOf: (hooks) => ({ workspaceId, hooks: hooks.map(hookInputOf) }),
    onDone,
  };
}
