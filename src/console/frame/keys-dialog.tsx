import { Dialog } from "../parts/dialog.tsx";
import { useState } from "react";
import { areSingleKeysOn, setSingleKeys } from "../parts/single-keys.ts";
import styles from "./frame.module.css";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["?", "shows these keys"],
  ["Ctrl K", "opens a page or an object by its name"],
  ["g i", "opens the inbox"],
  ["g r", "opens the runs of the organization"],
  ["g w", "opens its workspaces"],
  ["g o", "opens its overview"],
  ["j, k", "go to the next row of a list or change of a plan, and to the one before"],
  ["], [", "go to the next pattern of a plan or section of a log, and to the one before"],
  ["e", "opens the change that has the focus, or shows the next error of a log"],
  ["x", "picks the change that has the focus"],
  ["v", "marks the pattern that has the focus as seen"],
  ["/", "goes to the filter of a list, or searches the log"],
  ["a", "opens the dialog that approves the plan, or the apply"],
  ["r", "opens the dialog that rejects the plan"],
  ["R", "opens the dialog that plans again"],
  ["o", "opens the dialog that overrides policies"],
  ["w, f", "open the dialogs that conclude a verification: it works, or it does not"],
  ["d, C", "open the dialogs that discard and that cancel the run"],
  ["p, s, l, t, c", "open a part of the run: plan, checks, log, timeline, comments"],
  ["←, →", "open the tab beside, while the focus is on a tab"],
  ["G, g g", "show the end of a log and follow it, or its beginning"],
  ["n, N", "show the next line that was found, and the one before"],
  ["y", "copies the address of the chosen lines of a log, or of the first in sight"],
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
      <SingleKeys />
    </Dialog>
  );
}

/** Switches single keys off, for a person who dictates or types by accident. */
function SingleKeys() {
  const [isOn, setOn] = useState(areSingleKeysOn);
  const [isKept, setKept] = useState(true);
  return (
    <p>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setKept(setSingleKeys(target.checked));
            setOn(areSingleKeysOn());
          }}
        />{" "}
        Single keys are commands. Ctrl K, Tab and Enter always are.
      </label>
      <output className="problem">{!isKept && "The browser does not keep the choice."}</output>
    </p>
  );
}
