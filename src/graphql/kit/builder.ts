import SchemaBuilder, { type InputFieldMap, type ObjectFieldsShape } from "@pothos/core";

import type { Json } from "../../model/plan/json.ts";
import type { GraphqlContext } from "./context.ts";

/** The types that Pothos needs for the schema as a whole. */
export interface SchemaTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: Json; Output: Json };
    Decimal: { Input: string; Output: string };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** The fields of an object type, as a function of Pothos' builder of fields. */
export type FieldsOf<Parent> = ObjectFieldsShape<Types, Parent>;

/** The fields of an input type, as a function of Pothos' builder of fields. */
export type InputFieldsOf<Fields extends InputFieldMap> = (t: InputFields) => Fields;

/** Pothos' builder of the fields of an input type. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;

/** Collects the types of all files of this folder; `schema.ts` makes the schema out of it. */
export const builder = new SchemaBuilder<SchemaTypes>({ defaultFieldNullability: false });

builder.queryType({ description: "Reads. An object that does not exist or that the caller may not read is null." });
builder.mutationType({
  description:
    "Commands. Each returns its success or an error that the caller can act on. A refused command changes nothing.",
});
builder.subscriptionType({
  description:
    "Streams, which resume from the cursor of any earlier item. A stream of an object that does not exist or may not be read ends at once with an error of code NOT_FOUND.",
});
