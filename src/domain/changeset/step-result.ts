/** The result of a step of a changeset: DONE, NOTHING was left to do, or another server is at work on it (ELSEWHERE). */
export type StepResult = "DONE" | "NOTHING" | "ELSEWHERE";
