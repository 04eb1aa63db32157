/** Bounds the text about a holder. */
const MAX_LENGTH = 300;

/**
 * Builds the LockInfo that an http backend returns for a held state lock. Its `ID` describes the holder, because
 * engines (Terraform 1.11, OpenTofu) show the `ID` alone. The plain id is in `HolderID`.
 */
export function namedHolder(info: Readonly<Record<string, string>>): Record<string, string> {
  const { ID = "", Who = "", Operation = "", Created = "", Info = "" } = info;
  const words = [`held by ${Who === "" ? "an unnamed client" : Who}`, Operation, Info];
  if (Created !== "") words.push(`since ${Created}`);
  const text = words.filter((word) => word !== "").join(", ");
  return { ...info, ID: `${ID} (${text.slice(0, MAX_LENGTH)})`, HolderID: ID };
}
