import { useState } from "react";
import { notifyState, switchNotify } from "./notify.ts";

/** Lets a person switch on notifications of the browser about runs that wait for them. */
export function NotifyChoice() {
  const [state, setState] = useState(notifyState);
  if (state === "unsupported") return null;
  return (
    <p>
      <label>
        <input
          type="checkbox"
          checked={state === "on"}
          disabled={state === "denied"}
          onChange={({ target }) => void switchNotify(target.checked).then(setState)}
        />{" "}
        Notify me when a run waits for me
      </label>
      {state === "denied" && <span className="quiet"> The browser forbids notifications of this site.</span>}
    </p>
  );
}
