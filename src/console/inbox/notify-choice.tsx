import { useState } from "react";
import styles from "./inbox-page.module.css";
import { NOTICE_KINDS, NOTICE_WORDS } from "./notice-kinds.ts";
import { notifiedKinds, notifyState, switchNotify } from "./notify.ts";

/** Lets a person switch on notifications of the browser, by kind. */
export function NotifyChoice() {
  const [kinds, setKinds] = useState(notifiedKinds);
  const [state, setState] = useState(notifyState);
  if (state === "unsupported") return null;
  const choose = async (chosen: typeof kinds): Promise<void> => {
    setKinds(await switchNotify(chosen));
    setState(notifyState());
  };
  return (
    <fieldset className={styles["notify"]} disabled={state === "denied"}>
      <legend>Notify me when</legend>
      {NOTICE_KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              void choose(NOTICE_KINDS.filter((known) => (known === kind ? target.checked : kinds.includes(known))))
            }
          />{" "}
          {NOTICE_WORDS[kind]}
        </label>
      ))}
      {state === "denied" && <span className="quiet">The browser forbids notifications of this site.</span>}
    </fieldset>
  );
}
