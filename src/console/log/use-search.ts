import { useEffect, useEffectEvent, useRef, useState } from "react";
import { findLines, type FoundLines } from "./find-lines.ts";

/** A search in a log, and the found line that is in sight. */
export interface LogSearch {
  readonly found: FoundLines | null;
  /** The number of the line in sight; `null`: none was shown yet. */
  readonly current: number | null;
  /** Begins a search; an empty text ends it. */
  readonly start: (text: string) => void;
  /** Shows the next found line after the current one, or the one before. The first follows the last. */
  readonly step: (direction: 1 | -1) => void;
}

/** Searches the log of a run. `showLine` brings a line into sight. */
export function useSearch(runId: string, showLine: (line: number) => void): LogSearch {
  const [found, setFound] = useState<FoundLines | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const search = (text: string, onFound: (lines: FoundLines) => void): void => {
    const controller = new AbortController();
    running.current = controller;
    void findLines(runId, text, { signal: controller.signal, onFound });
  };
  // A search that was broken off because the log was hidden begins again when it is shown.
  const resume = useEffectEvent(() => {
    if (found?.isSearching === true) search(found.text, setFound);
  });
  useEffect(() => {
    resume();
    return () => running.current?.abort();
  }, []);
  const show = (line: number): void => {
    setCurrent(line);
    showLine(line);
  };
  return {
    found,
    current,
    start(text) {
      running.current?.abort();
      setFound(null);
      setCurrent(null);
      if (text === "") return;
      let isShown = false;
      const onFound = (lines: FoundLines): void => {
        setFound(lines);
        const [first] = lines.numbers;
        if (isShown || first === undefined) return;
        isShown = true;
        show(first);
      };
      search(text, onFound);
    },
    step(direction) {
      const numbers = found?.numbers ?? [];
      const at = current === null ? -1 : numbers.indexOf(current);
      const next = numbers.at((at + direction) % Math.max(1, numbers.length));
      if (next !== undefined) show(next);
    },
  };
}
