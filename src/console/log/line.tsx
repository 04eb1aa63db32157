import { memo } from "react";
import { ColoredText } from "./colored-text.tsx";
import styles from "./log-view.module.css";
import type { LogLine } from "./pieces.ts";
import { toneOf } from "./tone.ts";

/** A line that is longer is cut in the list: a row of a megabyte would stop the page. */
const SHOWN_LENGTH = 4000;

interface LineProps {
  readonly number: number;
  /** `undefined`: it is being read, or there is no line of this number. */
  readonly line: LogLine | undefined;
  readonly isChosen: boolean;
  readonly isFound: boolean;
  /** Whether a section begins with it. */
  readonly isHead: boolean;
  readonly hasTime: boolean;
  readonly onChoose: (number: number, extend: boolean) => void;
  readonly onOpen: (line: LogLine) => void;
}

/** One line of a log with its number, which is its link. It is drawn again only if its own properties change. */
export const Line = memo(function Line({
  number,
  line,
  isChosen,
  isFound,
  isHead,
  hasTime,
  onChoose,
  onOpen,
}: LineProps) {
  const text = line?.text ?? "…";
  return (
    <div
      className={styles["line"]}
      data-tone={line === undefined ? "absent" : toneOf(text)}
      data-chosen={isChosen || undefined}
      data-found={isFound || undefined}
      data-head={isHead || undefined}
    >
      <a
        href={`#L${number}`}
        aria-label={`Line ${number}`}
        onClick={(event) => {
          event.preventDefault();
          onChoose(number, event.shiftKey);
        }}
      >
        {number}
      </a>
      {hasTime && <time dateTime={line?.at}>{line === undefined ? "" : clockOf(line.at)}</time>}
      <span>
        <ColoredText text={text.slice(0, SHOWN_LENGTH)} spans={line?.spans} />
      </span>
      {line !== undefined && text.length > SHOWN_LENGTH && (
        <button type="button" onClick={() => onOpen(line)}>
          {text.length - SHOWN_LENGTH} more characters
        </button>
      )}
    </div>
  );
});

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function clockOf(at: string): string {
  const instant = Date.parse(at);
  return Number.isNaN(instant) ? "" : clock.format(instant);
}
