import styles from "./commands.module.css";

/** A row of commands about one object. */
export function Commands({ children }: { children: React.ReactNode }) {
  return <div className={styles["commands"]}>{children}</div>;
}
