import { LIMITS } from "../../model/kit/limits.ts";
import { inputError } from "./errors.ts";

/** Refuses a text that nothing stored can contain, or that is too long. */
export function checkSearch(path: readonly string[], text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const isShort = text !== "" && text.length <= LIMITS.searchTextLength;
  if (!isShort || text.includes("\0") || !text.isWellFormed()) {
    const message = `Must have 1 to ${LIMITS.searchTextLength} characters, without U+0000 and halves of surrogate pairs.`;
    throw inputError([{ path: [...path], message }]);
  }
}

/** Refuses a list of ids that is too long. */
export function checkIds(path: readonly string[], ids: readonly string[] | null | undefined): void {
  if ((ids?.length ?? 0) <= LIMITS.idsPerFilter) return;
  throw inputError([{ path: [...path], message: `Give at most ${LIMITS.idsPerFilter} ids.` }]);
}
