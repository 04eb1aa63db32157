import { Copy } from "./copy.tsx";
import styles from "./secret.module.css";

/** A secret that the API gives once, and how it is used. */
export interface GivenSecret {
  readonly name: string;
  readonly secret: string;
  readonly usage?: string;
}

/** A secret that the API gave once. The page keeps it nowhere: it is gone with the dialog. */
export function Secret({ given: { name, secret, usage } }: { given: GivenSecret }) {
  return (
    <div className={styles["secret"]}>
      <p>
        <strong>{name} is shown once.</strong> Copy it before you close this.
      </p>
      <p className={styles["line"]}>
        <code aria-label={name}>{secret}</code>
        <Copy text={secret} label="Copy it" />
      </p>
      {usage !== undefined && (
        <>
          <p>Use it:</p>
          <p className={styles["line"]}>
            <code>{usage}</code>
            <Copy text={usage} label="Copy the command" />
          </p>
        </>
      )}
    </div>
  );
}
