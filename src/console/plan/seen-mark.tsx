import { createContext, useContext } from "react";
import { visible } from "../parts/visible.ts";
import type { DescribedChange } from "./pattern.ts";
import styles from "./plan-view.module.css";
import { shareSeen } from "./seen-changes.ts";

/** The changes of a run that a person has marked as seen, by their digests. */
export interface SeenChanges {
  readonly seen: ReadonlySet<string>;
  readonly set: (digests: readonly string[], isSeen: boolean) => void;
}

export const SeenContext = createContext<SeenChanges>({ seen: new Set(), set: () => undefined });

/** A box that marks the changes of a pattern as seen. It is half filled where a new plan has brought further ones. */
export function SeenMark({ changes, label }: { changes: readonly DescribedChange[]; label: string }) {
  const { seen, set } = useContext(SeenContext);
  const share = shareSeen(changes, seen);
  return (
    <label className={styles["seen"]}>
      <input
        type="checkbox"
        data-box="seen"
        aria-label={`Seen: ${visible(label)}`}
        checked={share === "ALL"}
        ref={(box) => {
          if (box !== null) box.indeterminate = share === "SOME";
        }}
        onChange={() =>
          set(
            changes.map(({ change }) => change.digest),
            share !== "ALL",
          )
        }
      />
      seen
    </label>
  );
}
