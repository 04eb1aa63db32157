import { Refusal } from "./setting.ts";

/** As the server takes it. */
export const MAX_RUNNER_NAME = 200;

/** What a runner is called, in a process of its own or in the server's. */
export function runnerName(text: string): string {
  if (text.length <= MAX_RUNNER_NAME && !/\p{Cc}/u.test(text)) return text;
  throw new Refusal(`must have at most ${MAX_RUNNER_NAME} characters, all of them printable`);
}
