import { Dialog } from "../parts/dialog.tsx";
import styles from "./frame.module.css";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["?", "shows these keys"],
  ["Ctrl K", "opens a page or an object by its name"],
  ["g i", "opens the inbox"],
  ["g r", "opens the runs of the organization"],
  ["g w", "opens its workspaces"],
  ["a", "opens the dialog that approves the plan, or the apply"],
  ["r", "opens the dialog that rejects the plan"],
  ["R", "opens the dialog that plans again"],
  ["o", "opens the dialog that overrides policies"],
  ["w, f", "open the dialogs that conclude a verification: it works, or it does not"],
  ["d, c", "open the dialogs that discard and that cancel the run"],
  ["←, →", "open the tab beside, while the focus is on a tab"],
  ["G, g g", "show the end of a log and follow it, or its beginning"],
  ["/", "searches the log"],
  ["n, N", "show the next line that was found, and the one before"],
  ["e", "shows the next error of a log"],
];

/** The keys of all pages. A key opens something, and decides nothing. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={styles["keys"]}>
        {KEYS.map(([keys, does]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
