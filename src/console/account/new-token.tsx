import { CreateTokenDocument } from "../generated/graphql.ts";
import { checkedOf, endOfDay, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { isPermission, PERMISSIONS } from "../parts/permissions.ts";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

interface NewTokenOf {
  /** The person itself, or a machine user. */
  readonly owner: { readonly id: string; readonly name: string };
  /** The rights that the token has. */
  readonly rights: string;
  readonly label: string;
  readonly onDone: () => void;
}

/** Makes a token with the rights of its owner, or with fewer. */
export function NewToken({ owner, rights, label, onDone }: NewTokenOf) {
  return (
    <FormCommand
      document={CreateTokenDocument}
      label={label}
      title={`New token of ${visible(owner.name)}`}
      submit="Create the token"
      inputOf={(form) => {
        const permissions = checkedOf(form, "permissions").filter(isPermission);
        const networks = textOfField(form, "networks")
          .split(/[\s,]+/)
          .filter(Boolean);
        return {
          ownerId: owner.id,
          name: textOfField(form, "name"),
          expiresAt: endOfDay(textOfField(form, "expiresAt")),
          ...(permissions.length > 0 && { permissions }),
          ...(networks.length > 0 && { networks }),
        };
      }}
      secretOf={({ secret }) => ({ name: "The token", secret })}
      onDone={onDone}
    >
      <p>{rights}</p>
      <TextField name="name" label="Name" required placeholder="laptop" />
      <TextField name="expiresAt" label="Last day" type="date" hint="90 days from now, if you leave it empty" />
      <TextField name="networks" label="Networks" placeholder="10.0.0.0/8" hint="Any, if you leave it empty" />
      <details>
        <summary>Only some permissions</summary>
        <BoxesField
          name="permissions"
          label="Permissions; none of them: all that the owner has"
          choices={PERMISSIONS.map((permission) => [permission, wordsOf(permission)] as const)}
        />
      </details>
    </FormCommand>
  );
}
