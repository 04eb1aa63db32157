import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Lost, lostOf, type Opener, returnFocus } from "./opener.ts";

/** The state of the part of the page that opened a dialog. */
interface Hosting {
  /** The part that the page has lost since then; `null` if all is there. */
  readonly lost: Lost | null;
  readonly close: () => void;
}

const HostingContext = createContext<Hosting>({ lost: null, close: () => undefined });

/** Gives a dialog in the host the state of the part of the page that opened it. */
export const useHosting = (): Hosting => useContext(HostingContext);

interface Drawn {
  readonly id: string;
  readonly opener: Opener;
  readonly dialog: ReactNode;
  readonly onClose: () => void;
}

interface Host {
  readonly draw: (drawn: Drawn) => void;
  /** Keeps the dialog as it was drawn last. `null`: removes it. */
  readonly leave: (id: string, lost: Lost | null) => void;
}

const HostContext = createContext<Host | null>(null);

interface HostedDialogOf {
  readonly opener: Opener;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog that stays open if the part of the page that opened it goes, such as the row of an entry that another person deletes:
 * what was typed would be lost with it.
 */
export function HostedDialog({ opener, onClose, children }: HostedDialogOf) {
  const host = useContext(HostContext);
  if (host === null) throw new Error("The page has no host for dialogs.");
  const id = useId();
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
    host.draw({ id, opener, onClose, dialog: children });
  });
  useEffect(
    () => () => {
      const lost = lostOf(opener);
      host.leave(id, lost);
      // A part that is only hidden would open its dialog again when it is shown.
      if (lost === null) close.current();
    },
    [host, id, opener],
  );
  return null;
}

/** Draws the dialogs that parts of the page have opened, apart from these parts. */
export function DialogHost({ children }: { children: ReactNode }) {
  const [hosted, setHosted] = useState<readonly (Drawn & { readonly lost: Lost | null })[]>([]);
  const host = useMemo<Host>(
    () => ({
      draw(drawn) {
        const next = { ...drawn, lost: null };
        setHosted((all) =>
          all.some(({ id }) => id === drawn.id)
            ? all.map((other) => (other.id === drawn.id ? next : other))
            : [...all, next],
        );
      },
      leave(id, lost) {
        setHosted((all) =>
          lost === null
            ? all.filter((other) => other.id !== id)
            : all.map((other) => (other.id === id ? { ...other, lost } : other)),
        );
      },
    }),
    [],
  );
  useEffect(() => {
    // The page that opened them is left by the buttons of the browser.
    const drop = (): void => setHosted((all) => all.filter(({ lost }) => lost === null));
    addEventListener("popstate", drop);
    return () => removeEventListener("popstate", drop);
  }, []);
  return (
    <HostContext value={host}>
      {children}
      {hosted.map(({ id, opener, dialog, onClose, lost }) => {
        const close = (): void => {
          host.leave(id, null);
          onClose();
          returnFocus(opener);
        };
        return (
          <HostingContext key={id} value={{ lost, close }}>
            {dialog}
          </HostingContext>
        );
      })}
    </HostContext>
  );
}
