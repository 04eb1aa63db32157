/** Checks input after authorisation and collects all issues. */
import { type InputIssue, invalidInput } from "../../model/kit/user-error.ts";
import { LIMITS } from "../../model/kit/limits.ts";

/** Whether Postgres can store the text: U+0000 is not allowed. */
export function isStorable(text: string): boolean {
  return !text.includes("\0");
}

export class InputCheck {
  readonly #issues: InputIssue[] = [];

  refuse(path: string, message: string): void {
    this.#issues.push({ path: path.split("."), message });
  }

  require(ok: boolean, path: string, message: string): void {
    if (!ok) this.refuse(path, message);
  }

  /** Checks a free text. */
  text(path: string, value: string | null): void {
    if (value === null) return;
    this.require(value.length <= LIMITS.textLength, path, `must have at most ${LIMITS.textLength} characters.`);
    this.require(isStorable(value), path, "must not contain the character U+0000.");
  }

  /** Checks a display name. */
  label(path: string, value: string): void {
    const ok = value.trim() !== "" && value.length <= LIMITS.nameLength && !/\p{Cc}/u.test(value);
    this.require(ok, path, `must have 1 to ${LIMITS.nameLength} characters on one line.`);
  }

  get hasIssues(): boolean {
    return this.#issues.length > 0;
  }

  /** Throws INVALID_INPUT with all issues, if there are any. */
  done(): void {
    if (this.#issues.length > 0) throw invalidInput(this.#issues);
  }
}
