import type { DocumentText } from "../live/documents.ts";
import { Command } from "./command.tsx";

interface SwitchCommandOf<TResult, TInput extends object> {
  /** The command that changes whether it is on. */
  readonly document: DocumentText<TResult, { input: TInput }>;
  readonly enabled: boolean;
  readonly inputOf: (enabled: boolean) => TInput;
  /** The thing to switch, such as `the schedule nightly`. */
  readonly what: string;
  /** The consequences of switching it off. */
  readonly text: string;
  readonly onDone: () => void;
}

/** Switches something off, after a question, or on. */
export function SwitchCommand<TResult extends object, TInput extends object>({
  document,
  enabled,
  inputOf,
  what,
  text,
  onDone,
}: SwitchCommandOf<TResult, TInput>) {
  const common = { document, input: inputOf(!enabled), onDone };
  return enabled ? (
    <Command key="off" {...common} label="Switch off" question={{ title: `Switch off ${what}`, text }} />
  ) : (
    <Command key="on" {...common} label="Switch on" />
  );
}
