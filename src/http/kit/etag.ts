/** Whether an If-None-Match header names this tag, so that its sender has the answer already. */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((known) => known.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
