import { builder } from "./builder.ts";
import { mapRecord } from "./map-record.ts";

/** An enum of the model's words, each with its description; a word that is left out does not compile. */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Record<Value, string>,
) {
  return builder.enumType(name, { description, values: mapRecord(descriptions, toValue) });
}

function toValue(description: string): { description: string } {
  return { description };
}
