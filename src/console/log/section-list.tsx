import { useEffect, useRef } from "react";
import { Mark } from "../parts/mark.tsx";
import { durationOf } from "../parts/time.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { wordsOf } from "../parts/words.ts";
import styles from "./section-list.module.css";
import { type LogSection, sectionAt } from "./sections.ts";

interface SectionListProps {
  readonly sections: readonly LogSection[];
  /** The line by which the section in sight is known. */
  readonly line: number;
  readonly onShow: (line: number) => void;
}

/** The sections of a log, each with its state: a press shows its first line. `]` and `[` go to the next and to the one before. */
export function SectionList({ sections, line, onShow }: SectionListProps) {
  const list = useRef<HTMLOListElement>(null);
  const current = sectionAt(sections, line);
  useKeys((event) => {
    if (event.key !== "]" && event.key !== "[") return;
    // From within a section, the one before begins with its own first line.
    const isWithin = line > (sections[current]?.first ?? line);
    const next = sections[event.key === "]" ? current + 1 : isWithin ? current : current - 1];
    if (next === undefined) return;
    event.preventDefault();
    onShow(next.first);
  });
  useEffect(() => {
    const item = list.current?.children[current];
    // The list alone is scrolled: the page stays where it is.
    if (item instanceof HTMLElement) list.current?.scrollTo({ left: item.offsetLeft - item.offsetWidth / 2 });
  }, [current]);
  if (sections.length === 0) return null;
  return (
    <nav aria-label="Sections of the log">
      <ol ref={list} className={styles["sections"]}>
        {sections.map(({ id, title, status, tone, first, seconds }, at) => (
          <li key={id}>
            <button type="button" aria-current={at === current ? "location" : undefined} onClick={() => onShow(first)}>
              <Mark tone={tone}>{title}</Mark>
              <span className="hidden"> {wordsOf(status)}</span>
              {seconds !== null && <span className="quiet"> {durationOf(seconds)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
