import styles from "./question-form.module.css";

interface QuestionFormOf {
  readonly submit: string;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: React.ReactNode;
}

/** A form in the page that asks the API, and changes nothing. */
export function QuestionForm({ submit, onSubmit, children }: QuestionFormOf) {
  return (
    <form
      className={styles["question"]}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
      <button type="submit">{submit}</button>
    </form>
  );
}
