import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  /** Whether the dialog sends something: then `DialogButtons` at its end close it. */
  readonly sends?: boolean;
  /** Whether something is on its way, so that the dialog cannot be closed: its answer may be a secret that is shown once. */
  readonly isBusy?: boolean;
  /** Whether the dialog has done its work, so that it closes. */
  readonly isDone?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog over the page, open while it is drawn. Escape and its button close it, and the focus returns to where it was. It lies
 * outside of the page's own elements: a row that is moved within its table would close it.
 */
export function Dialog({ title, sends = false, isBusy = false, isDone = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (isDone) dialog.current?.close();
  }, [isDone]);
  return createPortal(
    <dialog
      ref={dialog}
      onCancel={(event) => {
        if (isBusy) event.preventDefault();
      }}
      onClose={onClose}
      aria-labelledby={id}
      className={styles[sends ? "sends" : "shows"]}
    >
      <div className={styles["head"]}>
        <h2 id={id}>{title}</h2>
        {!sends && <CloseButton />}
      </div>
      {children}
    </dialog>,
    document.body,
  );
}

interface DialogButtonsOf {
  readonly children?: ReactNode;
  readonly isBusy?: boolean;
  /** Whether the dialog has lost what it is about, so that it sends nothing any more. */
  readonly isLost?: boolean;
}

/** The buttons at the end of a dialog: one that closes it, and those that send. */
export function DialogButtons({ children, isBusy = false, isLost = false }: DialogButtonsOf) {
  const buttons = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that had the focus may be one that is gone.
    if (isLost && document.activeElement === document.body) buttons.current?.querySelector("button")?.focus();
  }, [isLost]);
  return (
    <p ref={buttons} className={styles["buttons"]}>
      <CloseButton isBusy={isBusy} />
      {!isLost && children}
    </p>
  );
}

function CloseButton({ isBusy = false }: { isBusy?: boolean }) {
  return (
    <button type="button" disabled={isBusy} onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
      Close
    </button>
  );
}
