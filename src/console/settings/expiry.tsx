import { UpdateWorkspaceDocument, type WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { changedOf, instantOf, localTimeOf, textOfField } from "../parts/field.ts";
import { TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";

type Settings = NonNullable<WorkspaceSettingsQuery["workspace"]>;

interface ExpiryOf extends SettingsSection {
  readonly settings: Pick<Settings, "expiresAt" | "expiryProblem" | "viewerPermissions">;
}

/** When a workspace expires: what it manages is destroyed then, and it is deleted. */
export function Expiry({ settings, ...section }: ExpiryOf) {
  const { expiresAt, expiryProblem, viewerPermissions } = settings;
  const may = (permission: (typeof viewerPermissions)[number]): boolean => viewerPermissions.includes(permission);
  // An earlier end, or the first one, takes the right to delete; a later one does not.
  const canSet = may("RUN_DESTROY") && (expiresAt != null || may("WORKSPACE_DELETE"));
  return (
    <section className="panel" aria-label="Expiry">
      <h2>Expiry</h2>
      {section.canWrite && (
        <Commands>
          {canSet && (
            <SettingsForm
              section={section}
              label={expiresAt == null ? "Let it expire" : "Change the expiry"}
              subject="Expiry"
              read={(form) => changedOf(form, { expiresAt: instantOf(textOfField(form, "expiresAt")) })}
            >
              <p>A run destroys then what the workspace manages. After that the workspace is deleted.</p>
              <TextField
                name="expiresAt"
                label="It expires"
                type="datetime-local"
                required
                hint="In your time zone, within ten years."
                defaultValue={expiresAt == null ? "" : localTimeOf(expiresAt)}
              />
            </SettingsForm>
          )}
          {expiresAt != null && (
            <Command
              document={UpdateWorkspaceDocument}
              input={{ workspaceId: section.workspaceId, expiresAt: null }}
              label="Let it live on"
              onDone={section.onChange}
            />
          )}
        </Commands>
      )}
      {expiresAt == null ? (
        <p className="quiet">It does not expire.</p>
      ) : (
        <p>
          It expires <Ago at={expiresAt} />, {new Date(expiresAt).toLocaleString()}: a run destroys what it manages,
          then it is deleted.
        </p>
      )}
      {expiryProblem != null && <p className="problem">{visible(expiryProblem)}</p>}
    </section>
  );
}
