import styles from "./table.module.css";

/** A table of rows. On a phone each row is a card of its cells. */
export function Table({
  label,
  heads,
  children,
}: {
  label: string;
  heads: readonly string[];
  children: React.ReactNode;
}) {
  return (
    <table className={styles["table"]} aria-label={label} style={headsOf(heads)}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The heads as properties of CSS: a phone has no row of heads, and shows each before its cell. */
function headsOf(heads: readonly string[]): Record<`--head-${number}`, string> {
  return Object.fromEntries(heads.map((head, at) => [`--head-${at + 1}`, JSON.stringify(`${head}: `)]));
}
