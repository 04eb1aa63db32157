import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  /** Whether the dialog sends something: then `DialogButtons` at its end close it. */
  readonly sends?: boolean;
  /** Whether the dialog has done its work, so that it closes. */
  readonly isDone?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page, open while it is drawn. Escape and its button close it, and the focus returns to where it was. */
export function Dialog({ title, sends = false, isDone = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (isDone) dialog.current?.close();
  }, [isDone]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={id} className={styles[sends ? "sends" : "shows"]}>
      <div className={styles["head"]}>
        <h2 id={id}>{title}</h2>
        {!sends && <CloseButton />}
      </div>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog: one that closes it, and those that send. */
export function DialogButtons({ children }: { children?: ReactNode }) {
  return (
    <p className={styles["buttons"]}>
      <CloseButton />
      {children}
    </p>
  );
}

function CloseButton() {
  return (
    <button type="button" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
      Close
    </button>
  );
}
