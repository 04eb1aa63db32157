import { CreateRoleDocument, DeleteRoleDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { checkedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { isPermission, PERMISSIONS } from "../parts/permissions.ts";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import type { PeopleSection } from "./people-section.ts";

/** The roles that can be granted, with their permissions. */
export function Roles({ organization, onChange }: PeopleSection) {
  const { id: organizationId, roles, viewerPermissions } = organization;
  const canWrite = viewerPermissions.includes("ROLE_WRITE");
  return (
    <section className="panel" aria-label="Roles">
      <h2>Roles</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={CreateRoleDocument}
            label="New role"
            title="New role"
            submit="Create the role"
            inputOf={(form) => ({
              organizationId,
              name: textOfField(form, "name"),
              description: textOfField(form, "description") || null,
              permissions: checkedOf(form, "permissions").filter(isPermission),
            })}
            onDone={onChange}
          >
            <TextField name="name" label="Name" required />
            <TextField name="description" label="Purpose" />
            <BoxesField
              name="permissions"
              label="Permissions"
              choices={PERMISSIONS.map((permission) => [permission, wordsOf(permission)] as const)}
            />
          </FormCommand>
        </Commands>
      )}
      {roles.map(({ id, name, description, builtIn, permissions }) => (
        <details key={id}>
          <summary>
            <strong>{visible(name)}</strong> {builtIn && <span className="quiet">built in, </span>}
            <span className="quiet">{permissions.length} permissions</span>
          </summary>
          {description != null && <p>{visible(description)}</p>}
          <p>{permissions.map(wordsOf).join(", ")}</p>
          {canWrite && !builtIn && (
            <Commands>
              <Command
                document={DeleteRoleDocument}
                input={{ roleId: id }}
                label="Delete"
                question={{
                  title: `Delete the role ${visible(name)}`,
                  text: "It must have no grants: take those first.",
                }}
                onDone={onChange}
              />
            </Commands>
          )}
        </details>
      ))}
    </section>
  );
}
