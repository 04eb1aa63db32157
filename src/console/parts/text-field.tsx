import { createContext, useContext, useId, useState } from "react";
import type { Issue } from "./refused.ts";
import { visible } from "./visible.ts";
import styles from "./text-field.module.css";

/** The problems of the fields of the form around. */
export const IssuesContext = createContext<readonly Issue[]>([]);

/** Gives the problem of a field, which may be several fields of the input. */
const useIssue = (...names: readonly string[]): string | null =>
  useContext(IssuesContext).find(({ path }) => names.some((name) => path.includes(name)))?.message ?? null;

/** Keeps the default with which a field began: one that the page reads later would mark a field as changed. */
const useFirst = <Value,>(value: Value): Value => useState(value)[0];

interface FieldOf {
  /** The field of the input. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** A field of text with its label, and the problem that the API found with it. */
export function TextField({
  name,
  label,
  hint,
  ...input
}: FieldOf &
  Pick<
    React.ComponentProps<"input">,
    "type" | "required" | "defaultValue" | "placeholder" | "min" | "max" | "step" | "maxLength"
  >) {
  const id = useId();
  const issue = useIssue(name);
  const defaultValue = useFirst(input.defaultValue);
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>
        {label}
        {input.required !== true && <span className="quiet"> (optional)</span>}
      </label>
      <input
        id={id}
        name={name}
        autoComplete="off"
        aria-invalid={issue !== null}
        aria-describedby={`${id}-note`}
        {...input}
        defaultValue={defaultValue}
      />
      <Note id={id} hint={hint} issue={issue} />
    </div>
  );
}

/** A field of text of several lines. */
export function LinesField({
  name,
  label,
  hint,
  ...input
}: FieldOf & Pick<React.ComponentProps<"textarea">, "required" | "defaultValue" | "rows">) {
  const id = useId();
  const issue = useIssue(name);
  const defaultValue = useFirst(input.defaultValue);
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={issue !== null}
        aria-describedby={`${id}-note`}
        {...input}
        defaultValue={defaultValue}
      />
      <Note id={id} hint={hint} issue={issue} />
    </div>
  );
}

/** A field with a file of the person. */
export function FileField({ name, label, hint, accept }: FieldOf & { accept: string }) {
  const id = useId();
  const issue = useIssue(name);
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="file"
        accept={accept}
        aria-invalid={issue !== null}
        aria-describedby={`${id}-note`}
      />
      <Note id={id} hint={hint} issue={issue} />
    </div>
  );
}

/** A field with a choice of one. */
export function ChoiceField({
  name,
  label,
  hint,
  choices,
  defaultValue,
  onChoose,
}: FieldOf & {
  choices: readonly (readonly [value: string, text: string])[];
  defaultValue?: string;
  onChoose?: (value: string) => void;
}) {
  const id = useId();
  const issue = useIssue(name);
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        onChange={(event) => onChoose?.(event.currentTarget.value)}
        aria-invalid={issue !== null}
        aria-describedby={`${id}-note`}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Note id={id} hint={hint} issue={issue} />
    </div>
  );
}

/** A field with a choice of one of few, all in sight. The first is chosen. */
export function RadioField({ name, label, choices }: FieldOf & { choices: readonly (readonly [string, string])[] }) {
  return (
    <fieldset className={styles["boxes"]}>
      <legend>{label}</legend>
      {choices.map(([value, text], at) => (
        <label key={value}>
          <input type="radio" name={name} value={value} defaultChecked={at === 0} /> {text}
        </label>
      ))}
    </fieldset>
  );
}

/** A field with a choice of several; nothing where there is nothing to choose. A choice may be a field of the input. */
export function BoxesField({
  name,
  label,
  hint,
  choices,
  checked = [],
}: FieldOf & { choices: readonly (readonly [value: string, text: string])[]; checked?: readonly string[] }) {
  const id = useId();
  const issue = useIssue(name, ...choices.map(([value]) => value));
  const first = useFirst(checked);
  if (choices.length === 0) return null;
  return (
    <fieldset
      className={styles["boxes"]}
      aria-describedby={`${id}-note`}
      data-invalid={issue === null ? undefined : "true"}
    >
      <legend>{label}</legend>
      {choices.map(([value, text]) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={first.includes(value)} /> {text}
        </label>
      ))}
      <Note id={id} hint={hint} issue={issue} />
    </fieldset>
  );
}

function Note({ id, hint, issue }: { id: string; hint?: string | undefined; issue: string | null }) {
  return (
    <span id={`${id}-note`} className={issue === null ? "quiet" : "problem"}>
      {issue === null ? hint : visible(issue)}
    </span>
  );
}
