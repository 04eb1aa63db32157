import { useEffect, useState } from "react";
import {
  BulkOperationsDocument,
  BulkResultsDocument,
  type BulkRowFragment,
  StopBulkOperationDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Ago } from "../parts/time.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "./run-link.tsx";

/** A finished operation is shown for so long. */
const SHOWN_MS = 10 * 60_000;

/** The viewer's operations on many runs that are at work, or have lately ended. `begun`: how many this page has begun. */
export function BulkOperations({ begun }: { begun: number }) {
  const [{ data }, reload] = useDocument(BulkOperationsDocument, {});
  const [since] = useState(() => Date.now() - SHOWN_MS);
  const operations = data?.bulkOperations.edges.map(({ node }) => node) ?? [];
  const isAtWork = operations.some(({ state }) => state === "RUNNING");
  useEffect(() => {
    if (begun > 0) reload();
  }, [begun, reload]);
  usePoll(isAtWork, reload);
  // One that was begun in another tab.
  useTick(reload);
  const shown = operations.filter(({ state, createdAt }) => state === "RUNNING" || Date.parse(createdAt) >= since);
  if (shown.length === 0) return null;
  return (
    <section className="panel" aria-label="Actions on many runs">
      <h2>Actions on many runs</h2>
      {shown.map((operation) => (
        <Operation key={operation.id} operation={operation} onChange={reload} />
      ))}
    </section>
  );
}

function Operation({ operation, onChange }: { operation: BulkRowFragment; onChange: () => void }) {
  const { id, action, state, total, done, succeeded, failed, createdAt } = operation;
  const [isOpen, setOpen] = useState(false);
  const name = `${wordsOf(action)} ${total} ${total === 1 ? "run" : "runs"}`;
  return (
    <div>
      <p>
        <strong>{name}</strong> <progress max={total} value={done} aria-label={`Progress: ${name}`} />{" "}
        <output>
          {done} of {total}: {succeeded} done, {failed} refused{state === "STOPPED" && ", stopped"}
        </output>{" "}
        <span className="quiet">
          begun <Ago at={createdAt} />
        </span>
      </p>
      {state === "RUNNING" && (
        <Commands>
          <Command
            document={StopBulkOperationDocument}
            input={{ operationId: id }}
            label="Stop"
            question={{ title: `Stop: ${name}`, text: "What is done stays. The other runs are left as they are." }}
            onDone={onChange}
          />
        </Commands>
      )}
      {failed > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{failed} refused</summary>
          {isOpen && <Refusals key={failed} id={id} />}
        </details>
      )}
    </div>
  );
}

/** The runs among the first hundred that refused the action, each with its reason. */
function Refusals({ id }: { id: string }) {
  const [{ data, error, fetching }] = useDocument(BulkResultsDocument, { id });
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (data?.node?.__typename !== "BulkOperation") return <p>{fetching ? "Loading…" : "It was removed."}</p>;
  const refused = data.node.results.edges.filter(({ node: { ok } }) => ok === false);
  return (
    <ul>
      {refused.map(({ node: { runId, run, message } }) => (
        <li key={runId}>
          {run == null ? runId : <RunLink run={run} />}: {visible(message ?? "It failed.")}
        </li>
      ))}
    </ul>
  );
}
