import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { GitSourceRefused, parseBranch } from "../../model/workspace/git-source.ts";
import type { WorkspaceSource } from "../../model/workspace/workspace.ts";
import type { Supersede, WorkspaceTrigger } from "../../model/workspace/workspace-trigger.ts";
import type { InputCheck } from "../kit/input.ts";
import { namePattern, pathPattern, patternProblem } from "../kit/patterns.ts";

/** Absent fields stay unchanged; `null` clears `branch` and `tags`, and is invalid elsewhere. */
export interface TriggerInput {
  branch?: string | null | undefined;
  tags?: string | null | undefined;
  supersede?: Supersede | null | undefined;
  alsoReads?: readonly string[] | null | undefined;
  ignores?: readonly string[] | null | undefined;
}

const NOT_CLEARED = ["supersede", "alsoReads", "ignores"] as const;

/** Checks what starts the runs of a workspace. */
export function checkTrigger(check: InputCheck, input: TriggerInput | null | undefined): void {
  check.require(input !== null, "trigger", "cannot be null.");
  if (input === null || input === undefined) return;
  for (const field of NOT_CLEARED) check.require(input[field] !== null, `trigger.${field}`, "cannot be null.");
  if (typeof input.branch === "string") checkBranch(check, input.branch);
  if (typeof input.tags === "string") checkTags(check, input.tags);
  for (const field of ["alsoReads", "ignores"] as const) checkGlobs(check, `trigger.${field}`, input[field] ?? []);
}

function checkBranch(check: InputCheck, branch: string): void {
  try {
    parseBranch(branch);
  } catch (error) {
    if (!(error instanceof GitSourceRefused)) throw error;
    check.refuse("trigger.branch", error.message);
  }
}

function checkTags(check: InputCheck, tags: string): void {
  if (!isPattern(tags)) return check.refuse("trigger.tags", patternRule());
  const problem = patternProblem(namePattern, tags);
  check.require(
    problem === null,
    "trigger.tags",
    `must be a glob, or a regular expression of RE2 in slashes: ${problem}`,
  );
}

function checkGlobs(check: InputCheck, path: string, globs: readonly string[]): void {
  const { triggerPatterns } = LIMITS;
  check.require(globs.length <= triggerPatterns, path, `must have at most ${triggerPatterns} entries.`);
  for (const [index, glob] of globs.slice(0, triggerPatterns).entries()) {
    const isInside = !glob.startsWith("/") && !glob.split("/").includes("..");
    check.require(isPattern(glob), `${path}.${index}`, patternRule());
    const problem = patternProblem(pathPattern, glob);
    check.require(problem === null, `${path}.${index}`, `must be a glob: ${problem}`);
    check.require(isInside, `${path}.${index}`, "must be relative to the root of the repository, without .. in it.");
  }
}

function isPattern(text: string): boolean {
  return text !== "" && text.length <= LIMITS.triggerPatternLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

function patternRule(): string {
  return `must have 1 to ${LIMITS.triggerPatternLength} characters on one line.`;
}

/** Returns the merged trigger; absent fields stay unchanged. */
export function triggerAfter(before: WorkspaceTrigger, input: TriggerInput | null | undefined): WorkspaceTrigger {
  if (input === null || input === undefined) return before;
  return {
    branch: input.branch === undefined ? before.branch : input.branch,
    tags: input.tags === undefined ? before.tags : input.tags,
    supersede: input.supersede ?? before.supersede,
    alsoReads: input.alsoReads ?? before.alsoReads,
    ignores: input.ignores ?? before.ignores,
  };
}

/** Throws INVALID_INPUT if a trigger needs a repository and the source names none. */
export function requireRepository(trigger: WorkspaceTrigger, source: WorkspaceSource): void {
  const field = trigger.branch !== null ? "branch" : trigger.tags !== null ? "tags" : null;
  if (field === null || (source.type === "git" && source.repositoryId !== undefined)) return;
  const message = "needs a source that names a repository of a git host: set source.git.repositoryId, or clear it.";
  throw invalidField(`trigger.${field}`, message);
}
