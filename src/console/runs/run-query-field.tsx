import { useId, useState } from "react";
import type { Term } from "./run-query.ts";
import styles from "./run-query-field.module.css";

interface RunQueryFieldProps {
  readonly text: string;
  /** The parts of the text, with their meanings. */
  readonly terms: readonly Term[];
  readonly onSubmit: (text: string) => void;
}

/** The field in which a person filters runs, and the meaning of each part of the text. */
export function RunQueryField({ text, terms, onSubmit }: RunQueryFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(text);
  const without = (removed: Term): string =>
    terms
      .filter((term) => term !== removed)
      .map((term) => term.text)
      .join(" ");
  return (
    <search>
      <form
        className={styles["query"]}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(typed.trim());
        }}
      >
        <label htmlFor={id} className="hidden">
          Filter the runs
        </label>
        <input
          id={id}
          type="search"
          value={typed}
          maxLength={200}
          placeholder="ws:net kind:deploy by:alice since:7d destroys>0 spacelift:unconfirmed"
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit">Filter</button>
      </form>
      {terms.length > 0 && (
        <ul className={styles["terms"]} aria-label="Meaning of the filter">
          {terms.map((term, at) => (
            <li key={`${at} ${term.text}`} data-tone={term.filter === null ? "bad" : undefined}>
              <code>{term.text}</code> {term.meaning}{" "}
              <button type="button" aria-label={`Remove ${term.text}`} onClick={() => onSubmit(without(term))}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
