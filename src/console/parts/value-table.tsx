import { visible } from "./visible.ts";
import styles from "./value-table.module.css";

/** A value with its name. The text of a sensitive one is not shown. */
interface NamedValue {
  readonly name: string;
  readonly sensitive: boolean;
  readonly text: string;
}

/** Values by their names, such as the outputs of a workspace; nothing where there are none. */
export function ValueTable({ title, values }: { title: string; values: readonly NamedValue[] }) {
  if (values.length === 0) return null;
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      <table>
        <tbody>
          {values.map(({ name, sensitive, text }) => (
            <tr key={name}>
              <th scope="row">{visible(name)}</th>
              <td className={styles["value"]}>{sensitive ? <span className="quiet">(sensitive)</span> : text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
