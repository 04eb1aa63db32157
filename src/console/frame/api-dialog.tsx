import { useSyncExternalStore } from "react";
import { onOperations, shownOperations } from "../live/operations.ts";
import { Copy } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { curlOf } from "./curl.ts";
import styles from "./frame.module.css";

/** The queries and streams of the page behind it: each as GraphQL, and as a request of curl. */
export function ApiDialog({ onClose }: { onClose: () => void }) {
  const operations = useSyncExternalStore(onOperations, shownOperations);
  return (
    <Dialog title="This page by the API" onClose={onClose}>
      <p>
        The queries and streams of this page. Set TOKEN to a token of yours to send them from a shell. The changes of a
        plan are at <code>/plans/&lt;id&gt;/changes</code>, the lines of a log at <code>/runs/&lt;id&gt;/log</code>.
      </p>
      {operations.map((operation) => (
        <details key={operation.key} className={styles["operation"]}>
          <summary>
            {operation.kind} <code>{operation.name}</code>
          </summary>
          <pre tabIndex={0}>{operation.text}</pre>
          <pre tabIndex={0}>{JSON.stringify(operation.variables, null, 2)}</pre>
          <p className={styles["buttons"]}>
            <Copy text={operation.text} label="Copy the GraphQL" />
            <Copy text={curlOf(`${location.origin}/graphql`, operation)} label="Copy as curl" />
          </p>
        </details>
      ))}
    </Dialog>
  );
}
