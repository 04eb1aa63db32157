import { UpdateWorkspaceDocument, type UpdateWorkspaceInput } from "../generated/graphql.ts";
import { FormCommand } from "../parts/form-command.tsx";
import type { SettingsSection } from "./settings-section.ts";

interface SettingsFormOf {
  readonly section: SettingsSection;
  /** The button that opens the form, and the one that sends it. */
  readonly label: string;
  /** The settings that are changed, without the workspace: `Limits`. */
  readonly subject: string;
  /** Reads what the person has changed. */
  readonly read: (form: HTMLFormElement) => Omit<UpdateWorkspaceInput, "workspaceId">;
  readonly children: React.ReactNode;
}

/** Opens a form for a section of the settings of a workspace. */
export function SettingsForm({ section, label, subject, read, children }: SettingsFormOf) {
  const { workspaceId, name, onChange } = section;
  return (
    <FormCommand
      document={UpdateWorkspaceDocument}
      label={label}
      title={`${subject} of ${name}`}
      submit={label}
      inputOf={(form) => ({ workspaceId, ...read(form) })}
      onDone={onChange}
    >
      {children}
    </FormCommand>
  );
}
