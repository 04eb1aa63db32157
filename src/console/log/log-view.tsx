import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { ColoredText } from "./colored-text.tsx";
import { Line } from "./line.tsx";
import { LineLink } from "./line-link.tsx";
import { type LineRange, rangeOf, readLineRange, writeLineRange } from "./line-range.ts";
import { createLogModel } from "./log-model.ts";
import styles from "./log-view.module.css";
import type { LogLine } from "./pieces.ts";
import { SearchBar } from "./search-bar.tsx";
import { SectionList } from "./section-list.tsx";
import { useSearch } from "./use-search.ts";
import { useSections } from "./use-sections.ts";
import { useView } from "./use-view.ts";
import { keepWraps, readWraps } from "./wrap-choice.ts";

interface LogViewProps {
  readonly runId: string;
  /** The version of the run: its sections may differ after each change. */
  readonly version: number;
}

/** The log of a run by line number: of any length, with few rows in the page. */
export function LogView({ runId, version }: LogViewProps) {
  const [model] = useState(() => createLogModel(runId));
  const { isOpen, last, newest, problem } = useSyncExternalStore(model.subscribe, model.snapshot);
  const [chosen, setChosen] = useState(() => readLineRange(location.hash));
  const [hasTime, setHasTime] = useState(false);
  const [isWide, setWide] = useState(false);
  const [wraps, setWraps] = useState(readWraps);
  const [opened, setOpened] = useState<LogLine | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const view = useView(element, sheet, { last, isOpen, asked: chosen?.first ?? null, wraps });
  const sections = useSections(runId, version, newest);
  useEffect(() => model.follow(), [model]);
  useKeysOfLog(view);
  const search = useSearch(runId, view.showLine);

  // A link to other lines of the same page loads nothing again. One from another part is read when the log is shown again.
  const follow = useEffectEvent(() => {
    const range = readLineRange(location.hash);
    if (range === null || (range.first === chosen?.first && range.last === chosen.last)) return;
    setChosen(range);
    view.showLine(range.first);
  });
  useEffect(() => {
    const listener = (): void => follow();
    listener();
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);

  const choose = useCallback(
    (number: number, extend: boolean): void => {
      const range = rangeOf(extend && chosen !== null ? chosen.first : number, number);
      setChosen(range);
      history.replaceState(history.state, "", writeLineRange(range));
    },
    [chosen],
  );
  const wrap = (wanted: boolean): void => {
    setWraps(wanted);
    keepWraps(wanted);
  };
  const { upper, first, end, shift, sheetHeight } = view;
  const heads = new Set(sections.slice(1).map((section) => section.first));
  useEffect(() => model.want(first, end));
  const numbers = Array.from({ length: Math.max(0, end - first + 1) }, (_, at) => first + at);
  return (
    <div className={styles["log"]} data-wide={isWide || undefined}>
      <p className={styles["bar"]}>
        <span>{last} lines</span>
        <Choice label="Follow" checked={view.follows} onChange={view.setFollows} />
        <Choice label="Time" checked={hasTime} onChange={setHasTime} />
        <Choice label="Wrap" checked={wraps} onChange={wrap} />
        <Choice label="Whole window" checked={isWide} onChange={setWide} />
        <SearchBar search={search} />
        <LineLink range={chosen ?? rangeOf(upper, upper)} />
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
      <SectionList sections={sections} line={view.follows ? last : upper} onShow={(line) => view.showLine(line, 0)} />
      <section
        ref={element}
        className={styles["view"]}
        data-wraps={wraps || undefined}
        aria-label="Log"
        tabIndex={0}
        onScroll={view.onScroll}
      >
        <div style={{ height: sheetHeight }}>
          <div ref={sheet} style={shift === null ? {} : { transform: `translateY(${shift}px)` }}>
            {numbers.map((number) => (
              <Line
                key={number}
                number={number}
                line={model.line(number)}
                isChosen={isWithin(number, chosen)}
                isFound={number === search.current}
                isHead={heads.has(number)}
                hasTime={hasTime}
                onChoose={choose}
                onOpen={setOpened}
              />
            ))}
          </div>
        </div>
      </section>
      {opened !== null && (
        <Dialog title={`Line ${opened.number}`} onClose={() => setOpened(null)}>
          <pre className={styles["whole"]} tabIndex={0}>
            <ColoredText text={opened.text} spans={opened.spans} />
          </pre>
        </Dialog>
      )}
    </div>
  );
}

const isWithin = (number: number, range: LineRange | null): boolean =>
  range !== null && number >= range.first && number <= range.last;

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Choice({ label, checked, onChange }: ChoiceProps) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
  );
}

/** `G` goes to the end and follows it, `g g` goes to the beginning. */
function useKeysOfLog({ setFollows, showLine }: ReturnType<typeof useView>): void {
  const [former, setFormer] = useState("");
  useKeys((event) => {
    setFormer(event.key);
    if (event.key === "G") setFollows(true);
    if (event.key === "g" && former === "g") showLine(1);
  });
}
