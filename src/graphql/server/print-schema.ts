import { printSchema } from "graphql";

import { schema } from "./schema.ts";

/** The schema as text, as it is committed in schema/schema.graphql. */
export function printSchemaText(): string {
  return `${printSchema(schema)}\n`;
}
