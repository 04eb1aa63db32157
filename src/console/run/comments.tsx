import { useId, useState } from "react";
import { CommentDocument, CommentsDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { useSending } from "../parts/sending.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import styles from "./comments.module.css";

/** The comments of people on a run. */
export function Comments({ runId }: { runId: string }) {
  const [{ data, error }, reload] = useDocument(CommentsDocument, { runId });
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
