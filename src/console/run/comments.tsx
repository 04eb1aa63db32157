import { useId, useState } from "react";
import { CommentDocument, CommentsDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { useSending } from "../parts/sending.ts";
import { Ago } from "../parts/time.tsx";
import { useRereadOn } from "../parts/use-reread-on.ts";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import styles from "./comments.module.css";

interface CommentsProps {
  readonly run: { readonly id: string; readonly version: number; readonly isTerminal: boolean };
}

/** The comments of people on a run. A comment on a live run changes it; on one that has ended, no event reports it. */
export function Comments({ run: { id: runId, version, isTerminal } }: CommentsProps) {
  const [{ data, error }, reload] = useDocument(CommentsDocument, { runId });
  useRereadOn(version, useReread(reload));
  useTick(() => {
    if (isTerminal) reload();
  });
  const { state, refused, send } = useSending(CommentDocument);
  const isLive = useIsLive();
  const id = useId();
  const [text, setText] = useState("");
  const comments = data?.run?.comments.edges.map(({ node }) => node) ?? [];
  const submit = async (): Promise<void> => {
    if ((await send({ runId, text })) === null) return;
    setText("");
    reload();
  };
  return (
    <>
      {error !== undefined && <p role="alert">{error.message}</p>}
      <ul className={styles["comments"]}>
        {comments.map(({ id, actor, at, text: words }) => (
          <li key={id}>
            <strong>{visible(actor.name)}</strong>{" "}
            <span className="quiet">
              <Ago at={at} />
            </span>
            <p>{visible(words)}</p>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label htmlFor={id}>Comment</label>
        <textarea id={id} rows={3} required value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit" disabled={!isLive || state === "SENDING"}>
          Send
        </button>
        <Refusal refused={refused} />
      </form>
    </>
  );
}
