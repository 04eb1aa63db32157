/** Writes the full name of a ref for people: `refs/heads/main` is "main", `refs/tags/v1` is "tag v1". */
export function refName(ref: string): string {
  if (ref.startsWith("refs/heads/")) return ref.slice("refs/heads/".length);
  return ref.startsWith("refs/tags/") ? `tag ${ref.slice("refs/tags/".length)}` : ref;
}
