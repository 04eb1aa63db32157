import styles from "./facts.module.css";

/** A list of names and values beside each other. */
export function Facts({ children }: { children: React.ReactNode }) {
  return <dl className={styles["facts"]}>{children}</dl>;
}

/** A name and its value, in a list of them. */
export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
