import { useState } from "react";
import { CommentDocument, CommentsDocument } from "../generated/graphql.ts";
import { useCommand, useDocument } from "../live/documents.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import styles from "./comments.module.css";

/** The comments of people on a run. */
export function Comments({ runId }: { runId: string }) {
  const [{ data, error }, reload] = useDocument(CommentsDocument, { runId });
  const [{ fetching }, send] = useCommand(CommentDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const [text, setText] = useState("");
  const comments = data?.run?.comments.edges.map(({ node }) => node) ?? [];
  const submit = async (): Promise<void> => {
    const { data: sent, error: failed } = await send({ input: { runId, text } });
    const refused = sent !== undefined && "message" in sent.commentOnRun ? sent.commentOnRun.message : null;
    const found = failed?.message ?? refused;
    setProblem(found);
    if (found !== null) return;
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
        <label htmlFor="comment">Comment</label>
        <textarea id="comment" rows={3} required value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit" disabled={fetching}>
          Send
        </button>
        <p className="problem" role="alert">
          {problem}
        </p>
      </form>
    </>
  );
}
