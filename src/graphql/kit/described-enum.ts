import { builder } from "./builder.ts";
import { mapRecord } from "./map-record.ts";

/** The end of the description of a word that nothing in this release produces. */
export const FUTURE_MARK = "Does not occur yet.";

/**
 * An enum of the model's words, each with its description; a word that is left out does not compile. `future`: words that
 * nothing produces yet; their descriptions get the mark. A test finds them in the code.
 */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Record<Value, string>,
  future: readonly Value[] = [],
) {
  const marked = new Set<string>(future);
  const values = mapRecord(descriptions, (text: string, value) => ({
    description: marked.has(value) ? `${text} ${FUTURE_MARK}` : text,
  }));
  return builder.enumType(name, { description, values });
}
