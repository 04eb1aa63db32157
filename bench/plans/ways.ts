/** By which ways statements come to their rows, as far as that may not change unseen: tables with their indexes. */

/** The statements of `plans.txt` by their names. */
export function readPlans(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^-- /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1).trim()]));
}

/** Such as `run by run_pkey` and `feed_head as a whole`; in which order, and how rows are joined, may change with the data. */
export function waysOf(shape: string): string[] {
  const ways: string[] = [];
  for (const line of shape.split("\n")) {
    const [, index, table] = /^ *Index (?:Only )?Scan using (\S+) on (\S+)/.exec(line) ?? [];
    const [, bitmap] = /^ *Bitmap Index Scan using (\S+)/.exec(line) ?? [];
    const [, whole] = /^ *Seq Scan on (\S+)/.exec(line) ?? [];
    if (index !== undefined) ways.push(`${table} by ${index}`);
    if (bitmap !== undefined) ways.push(`bitmap by ${bitmap}`);
    if (whole !== undefined) ways.push(`${whole} as a whole`);
  }
  return [...new Set(ways)].toSorted();
}

/** Statements that go other ways than they did, each with what was and what is; new ones are not among them. */
export function changedWays(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].flatMap(([name, shape]) => {
    const known = before.get(name);
    const [was, is] = [known ?? shape, shape].map((one) => waysOf(one).join(", "));
    return was === is ? [] : [`\`${name}\` went by ${was}, and goes by ${is}`];
  });
}
