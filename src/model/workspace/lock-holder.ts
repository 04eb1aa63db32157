/** The answer of an http backend about a state lock that is held. */
const MAX_LENGTH = 300;

/**
 * The engine's LockInfo of the holder, whose `ID` says in words who that is: of all that it is told of a holder, the
 * engine (Terraform 1.11, OpenTofu) shows the ID alone. The plain id is in `HolderID`.
 */
export function namedHolder(info: Readonly<Record<string, string>>): Record<string, string> {
  const { ID = "", Who = "", Operation = "", Created = "", Info = "" } = info;
  const words = [`held by ${Who === "" ? "an unnamed client" : Who}`, Operation, Info];
  if (Created !== "") words.push(`since ${Created}`);
  const text = words.filter((word) => word !== "").join(", ");
  return { ...info, ID: `${ID} (${text.slice(0, MAX_LENGTH)})`, HolderID: ID };
}
