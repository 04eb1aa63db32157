import { InvalidSetting } from "./setting.ts";

/** The longest name that the server accepts. */
export const MAX_RUNNER_NAME = 200;

/** Parses the name of a runner, in a process of its own or in that of the server. */
export function runnerName(text: string): string {
  if (text.length <= MAX_RUNNER_NAME && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidSetting(`must have at most ${MAX_RUNNER_NAME} characters, all of them printable`);
}
