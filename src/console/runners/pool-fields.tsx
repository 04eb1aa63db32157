import type { RunnersQuery } from "../generated/graphql.ts";
import { checkedOf, numberOfField, textOfField } from "../parts/field.ts";
import { BoxesField, TextField } from "../parts/text-field.tsx";

export type ShownPool = NonNullable<RunnersQuery["organization"]>["runnerPools"][number];

/** Reads the fields of a pool, as the API takes them. */
export function readPool(form: HTMLFormElement) {
  return {
    name: textOfField(form, "name"),
    description: textOfField(form, "description") || null,
    reserved: checkedOf(form, "reserved").length > 0,
    driftCheckLimit: numberOfField(form, "driftCheckLimit"),
  };
}

/** The fields of a pool; without one those of a new pool. */
export function PoolFields({ pool }: { pool?: ShownPool }) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        defaultValue={pool?.name}
        hint="1 to 63 small letters, digits and hyphens"
      />
      <TextField name="description" label="Purpose" defaultValue={pool?.description ?? ""} />
      <BoxesField
        name="reserved"
        label="Use"
        choices={[["yes", "Only for workspaces that name the pool"]]}
        checked={pool?.reserved === true ? ["yes"] : []}
      />
      <TextField
        name="driftCheckLimit"
        label="Checks for drift at once"
        type="number"
        min={1}
        max={1000}
        defaultValue={pool?.driftCheckLimit?.toString() ?? ""}
        hint="Of workspaces that name the pool. Empty: as many as there are places."
      />
    </>
  );
}
