import {
  UpdateWorkspaceDocument,
  type UpdateWorkspaceInput,
  type UpdateWorkspaceMutation,
} from "../generated/graphql.ts";
import type { DocumentText } from "../live/documents.ts";
import { client } from "../live/link.ts";
import type { EntryList } from "../parts/entry-commands.tsx";
import type { Entry } from "../parts/replace-entry.ts";
import type { SettingsSection } from "./settings-section.ts";

/** A list in the settings of a workspace, which the API only sets as a whole. */
export type SettingsList<T extends Entry> = EntryList<UpdateWorkspaceMutation, UpdateWorkspaceInput, T>;

interface SettingsListOf<TWorkspace, T extends Entry> extends Pick<SettingsList<T>, "field" | "noun"> {
  /** Reads the list as it is now. */
  readonly document: DocumentText<
    { workspace: (TWorkspace & { settingsDigest: string }) | null },
    { id: string | number }
  >;
  readonly entriesOf: (workspace: TWorkspace) => readonly T[];
  readonly inputOf: (entries: readonly T[]) => Omit<UpdateWorkspaceInput, "workspaceId">;
}

/** Makes the list of a section of the settings; `null` for a person who may not change it. */
export function settingsList<TWorkspace, T extends Entry>(
  { workspaceId, name, canWrite, onChange }: SettingsSection,
  { field, noun, document, entriesOf, inputOf }: SettingsListOf<TWorkspace, T>,
): SettingsList<T> | null {
  if (!canWrite) return null;
  return {
    document: UpdateWorkspaceDocument,
    field,
    noun,
    owner: name,
    read: async () => {
      const { workspace } = await client.request(document, { id: workspaceId });
      return workspace === null ? null : { ...workspace, entries: entriesOf(workspace) };
    },
    inputOf: (entries, settingsDigest) => ({ workspaceId, settingsDigest, ...inputOf(entries) }),
    onDone: onChange,
  };
}
