import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { LogLiveDocument } from "../generated/graphql.ts";
import { useStream } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";
import { createLogModel } from "./log-model.ts";
import styles from "./log-view.module.css";
import { heightOf, lineAt, offsetOf, ROW } from "./scroll.ts";

/** Rows beyond the edges of the view, so that a short scroll shows no gap. */
const OVERSCAN = 10;
/** A view that is this near to the end follows it. */
const NEAR_END = ROW * 2;

/** The log of a run by line number: of any length, with few rows in the page. */
// oxlint-disable-next-line import/no-default-export -- a part that is loaded when it is shown
export default function LogView({ runId }: { runId: string }) {
  const [model] = useState(() => createLogModel(runId));
  const { isOpen, last, problem } = useSyncExternalStore(model.subscribe, model.snapshot);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [follows, setFollows] = useState(() => lineOfAddress() === null);
  const view = useRef<HTMLDivElement>(null);
  const asked = useRef(lineOfAddress());
  useStream(
    LogLiveDocument,
    { runId },
    {
      onItem: ({ runLog: item }) => {
        if (item.__typename === "LogBatch") model.append(item.lines);
      },
    },
  );

  const total = heightOf(last);
  const upper = lineAt(top, last, height);
  const first = Math.max(1, upper - OVERSCAN);
  const end = Math.min(last, upper + Math.ceil(height / ROW) + OVERSCAN);
  useEffect(() => model.want(first, end));
  useLayoutEffect(() => {
    const element = view.current;
    if (element === null || !isOpen) return;
    if (asked.current !== null && last > 0) {
      element.scrollTop = offsetOf(asked.current, last, element.clientHeight);
      asked.current = null;
    } else if (follows) element.scrollTop = element.scrollHeight;
  }, [follows, isOpen, last]);

  const numbers = Array.from({ length: Math.max(0, end - first + 1) }, (_, at) => first + at);
  // In a scaled sheet the rows are drawn from where the view is: a pixel there is more than a row.
  const isScaled = last * ROW > total;
  const shift = isScaled ? Math.max(0, top - (upper - first) * ROW) : (first - 1) * ROW;
  return (
    <>
      <p className={styles["bar"]}>
        <span>{last} lines</span>
        <label>
          <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} /> Follow
        </label>
        <a href={`/runs/${encodeURIComponent(runId)}/log`}>As a file</a>
      </p>
      {problem !== null && (
        <p role="alert">
          {problem}{" "}
          <button type="button" onClick={model.retry}>
            Read again
          </button>
        </p>
      )}
      <section
        ref={view}
        className={styles["view"]}
        aria-label="Log"
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          setTop(currentTarget.scrollTop);
          setHeight(currentTarget.clientHeight);
          const below = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight;
          if (below > NEAR_END && follows) setFollows(false);
        }}
      >
        <div style={{ height: total }}>
          <div style={{ transform: `translateY(${shift}px)` }}>
            {numbers.map((number) => (
              <Line key={number} number={number} text={model.line(number)?.text} />
            ))}
          </div>
        </div>
      </section>
    </>
  );
}

function Line({ number, text }: { number: number; text: string | undefined }) {
  return (
    <div className={styles["line"]} data-tone={text === undefined ? "absent" : toneOf(text)}>
      <a href={`#L${number}`} aria-label={`Line ${number}`}>
        {number}
      </a>
      <span>{text === undefined ? "…" : visible(text)}</span>
    </div>
  );
}

/** Engines begin their messages with these words, behind a bar or not. */
function toneOf(text: string): "error" | "warning" | "plain" {
  const [, word] = /^(?:[│╷] *)?(Error|Warning): /.exec(text) ?? [];
  if (word === undefined) return "plain";
  return word === "Error" ? "error" : "warning";
}

function lineOfAddress(): number | null {
  const number = /^#L(\d{1,12})/.exec(location.hash)?.[1];
  return number === undefined ? null : Number(number);
}
