import { useRef } from "react";
import { useKeys } from "../parts/use-keys.ts";
import styles from "./log-view.module.css";
import type { LogSearch } from "./use-search.ts";

/** Engines begin their errors with it. */
const ERROR = "Error: ";

/** Searches the whole log. `/` goes to the field, `n` and `N` to the next line and the one before, `e` to the next error. */
export function SearchBar({ search }: { search: LogSearch }) {
  const field = useRef<HTMLInputElement>(null);
  const { found, current, start, step } = search;
  useKeys((event) => {
    if (event.key === "/") {
      event.preventDefault();
      field.current?.focus();
    } else if (event.key === "n") step(1);
    else if (event.key === "N") step(-1);
    else if (event.key === "e") {
      if (found?.text === ERROR) step(1);
      else start(ERROR);
    }
  });
  return (
    <search className={styles["search"]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start(field.current?.value ?? "");
        }}
      >
        <input ref={field} type="search" aria-label="Search the log" maxLength={200} placeholder="Search the log" />
      </form>
      {found !== null && (
        <>
          <output>{resultOf(search)}</output>
          <button type="button" disabled={found.numbers.length === 0} onClick={() => step(-1)}>
            ↑<span className="hidden"> The line before</span>
          </button>
          <button type="button" disabled={found.numbers.length === 0} onClick={() => step(1)}>
            ↓<span className="hidden"> The next line</span>
          </button>
          {current !== null && <span className="quiet">line {current}</span>}
        </>
      )}
    </search>
  );
}

function resultOf({ found, current }: LogSearch): string {
  if (found === null) return "";
  const { numbers, isSearching, isCut, searchedTo, problem } = found;
  if (problem !== null) return problem;
  const place = current === null ? "" : `${numbers.indexOf(current) + 1} of `;
  const lines = `${place}${numbers.length} ${numbers.length === 1 ? "line" : "lines"}`;
  if (isCut) return `${place}the first ${numbers.length} lines`;
  return isSearching ? `${lines}, searched to ${searchedTo}…` : lines;
}
