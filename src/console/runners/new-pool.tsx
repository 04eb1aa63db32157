import { CreateRunnerPoolDocument } from "../generated/graphql.ts";
import { checkedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { BoxesField, TextField } from "../parts/text-field.tsx";

/** Makes a pool of runners. */
export function NewPool({ organizationId, onDone }: { organizationId: string; onDone: () => void }) {
  return (
    <p>
      <FormCommand
        document={CreateRunnerPoolDocument}
        label="New pool"
        title="New pool of runners"
        submit="Create the pool"
        inputOf={(form) => ({
          organizationId,
          name: textOfField(form, "name"),
          description: textOfField(form, "description") || null,
          reserved: checkedOf(form, "reserved").length > 0,
        })}
        onDone={onDone}
      >
        <TextField name="name" label="Name" required hint="1 to 63 small letters, digits and hyphens" />
        <TextField name="description" label="Purpose" />
        <BoxesField name="reserved" label="Use" choices={[["yes", "Only for workspaces that name the pool"]]} />
      </FormCommand>
    </p>
  );
}
