/** A word of a closed set as the database holds it; anything else means that the two have drifted apart. */
export function word<const Word extends string>(set: readonly Word[], text: string): Word {
  const found = set.find((candidate) => candidate === text);
  if (found === undefined)
    throw new Error(`The database has the unknown value "${text}". Known values: ${set.join(", ")}.`);
  return found;
}

export function wordOrNull<const Word extends string>(set: readonly Word[], text: string | null): Word | null {
  return text === null ? null : word(set, text);
}
