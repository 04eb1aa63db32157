import { useContext, useState } from "react";
import { visible } from "../parts/visible.ts";
import styles from "./change.module.css";
import type { Difference } from "./diff.ts";
import type { DescribedChange, PlannedChange } from "./pattern.ts";
import { Pick } from "./pick.tsx";
import { ShownChangeContext, useShown, useShowOnOpen } from "./shown-change.ts";
import { textOf } from "./text.ts";

/** One change of a pattern: its attributes are shown when a person opens it. */
export function Change({ described }: { described: DescribedChange }) {
  const { change, differences } = described;
  const [isOpen, setOpen] = useState(false);
  const isShown = useContext(ShownChangeContext).address === change.address;
  const details = useShown(isShown);
  const showOnOpen = useShowOnOpen();
  return (
    <div className={styles["change"]} data-row="">
      <Pick changes={[described]} label={change.address} />
      <details
        ref={details}
        data-shown={isShown || undefined}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary data-stop="" onClick={(event) => showOnOpen(event, change.address)}>
          <code>{visible(change.address)}</code>
          {change.previousAddress != null && (
            <span className="quiet"> moved from {visible(change.previousAddress)}</span>
          )}
        </summary>
        {isOpen && (
          <>
            <Differences differences={differences} />
            <Dependencies of={change} />
          </>
        )}
      </details>
    </div>
  );
}

/** The resources on which a change depends directly, where there are some. */
export function Dependencies({ of: { dependsOn = [] } }: { of: Pick<PlannedChange, "dependsOn"> }) {
  if (dependsOn.length === 0) return null;
  return <p className={`quiet ${styles["dependencies"]}`}>Depends on {visible(dependsOn.join(", "))}</p>;
}

/** The attributes that differ. Those that are only known after the apply are folded into one line. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  const known = differences.filter(({ kind }) => kind !== "UNKNOWN");
  const unknown = differences.filter(({ kind }) => kind === "UNKNOWN");
  return (
    <div className={styles["differences"]}>
      {known.map((difference) => (
        <Row key={difference.path} difference={difference} />
      ))}
      {unknown.length > 0 && (
        <details>
          <summary className="quiet">
            {unknown.length} {unknown.length === 1 ? "value is" : "values are"} known after the apply
          </summary>
          {unknown.map((difference) => (
            <Row key={difference.path} difference={difference} />
          ))}
        </details>
      )}
    </div>
  );
}

function Row({ difference: { path, kind, before, after, inJson } }: { difference: Difference }) {
  return (
    <div className={styles["row"]}>
      <code className={styles["path"]}>
        {path === "" ? "(the whole object)" : visible(path)}
        {inJson && <span className="quiet"> in JSON</span>}
      </code>
      <div className={styles["values"]}>
        {kind === "SENSITIVE" && <span className="quiet">(sensitive, changes)</span>}
        {kind === "FORMATTING" && <span className="quiet">only the formatting differs</span>}
        {kind === "ORDER" && <span className="quiet">only the order differs</span>}
        {(kind === "CHANGED" || kind === "REMOVED") && <Value mark="−" value={before} />}
        {(kind === "CHANGED" || kind === "ADDED") && <Value mark="+" value={after} />}
        {kind === "UNKNOWN" && (
          <>
            {before != null && <Value mark="−" value={before} />}
            <span className="quiet">→ known after the apply</span>
          </>
        )}
      </div>
    </div>
  );
}

function Value({ mark, value }: { mark: "−" | "+"; value: unknown }) {
  return (
    <pre className={styles["value"]} data-mark={mark}>
      <span className="hidden">{mark === "−" ? "before " : "after "}</span>
      {textOf(value)}
    </pre>
  );
}
