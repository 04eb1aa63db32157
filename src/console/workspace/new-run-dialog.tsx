import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { CreateRunDocument, type RunKind, type WorkspaceRowFragment } from "../generated/graphql.ts";
import { useCommand } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import styles from "../run/decision-dialog.module.css";

/** The kinds of runs that need nothing but a message, and what they do. */
const KINDS: readonly { kind: RunKind; text: string }[] = [
  { kind: "DEPLOY", text: "Deploy: plan, then apply what is approved" },
  { kind: "PLAN", text: "Plan: show what would change, and apply nothing" },
  { kind: "DESTROY", text: "Destroy: take all of it away, after an approval" },
];

/** Creates a run. The same form that is sent twice makes one run. */
export function NewRunDialog({ workspace, onClose }: { workspace: WorkspaceRowFragment; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [{ fetching }, send] = useCommand(CreateRunDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = async (kind: RunKind, message: string): Promise<void> => {
    const input = { workspaceId: workspace.id, kind, idempotencyKey, ...(message !== "" && { message }) };
    const { data, error } = await send({ input });
    const result = data?.createRun;
    if (result?.__typename === "CreateRunSuccess") {
      const { workspace: its, number } = result.run;
      const params = { organization: its.organization.slug, workspace: its.name, number: String(number) };
      await navigate({ to: "/o/$organization/w/$workspace/runs/$number", params });
    } else setProblem(error?.message ?? (result !== undefined && "message" in result ? result.message : "No answer."));
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="new-run-title" className={styles["dialog"]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const known = KINDS.find(({ kind }) => kind === textOfField(form, "kind"));
          if (known !== undefined) void submit(known.kind, textOfField(form, "message"));
        }}
      >
        <h2 id="new-run-title">New run of {workspace.name}</h2>
        <fieldset className={styles["choices"]}>
          <legend>Kind</legend>
          {KINDS.map(({ kind, text }, at) => (
            <label key={kind}>
              <input type="radio" name="kind" value={kind} defaultChecked={at === 0} /> {text}
            </label>
          ))}
        </fieldset>
        <label htmlFor="new-run-message">Message (optional)</label>
        <input id="new-run-message" name="message" autoComplete="off" maxLength={1000} />
        <p role="alert" className="problem">
          {problem}
        </p>
        <p className={styles["buttons"]}>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button type="submit" className="primary" disabled={fetching}>
            {fetching ? "Sending…" : "Create the run"}
          </button>
        </p>
      </form>
    </dialog>
  );
}
