/** The actions of schedules in words, and the permissions that they take. */
import type { Permission, ScheduledAction } from "../generated/graphql.ts";
import { wordsOf } from "../parts/words.ts";

/** The actions that a person can choose; the compiler finds one that is missing. */
const ACTIONS: Readonly<Record<ScheduledAction, { readonly words: string; readonly permission: Permission }>> = {
  RUN: { words: "Deploy the current source", permission: "RUN_DEPLOY" },
  RECONCILE: { words: "Deploy what was applied last", permission: "RUN_DEPLOY" },
  DETECT_DRIFT: { words: "Look for drift", permission: "RUN_PLAN" },
  TASK: { words: "Execute a command", permission: "RUN_TASK" },
  PROMOTE: { words: "Promote to a stage of a pipeline", permission: "RUN_DEPLOY" },
  DESTROY: { words: "Destroy everything", permission: "RUN_DESTROY" },
};

/** Whether a text is an action of schedules. */
export const isAction = (value: string): value is ScheduledAction => Object.hasOwn(ACTIONS, value);

/** Writes an action in words; a later release may have more of them. */
export const wordsOfAction = (action: string): string => (isAction(action) ? ACTIONS[action].words : wordsOf(action));

/** Whether a person with these permissions may schedule an action. */
export const allowsAction = (permissions: readonly Permission[], action: string): boolean =>
  isAction(action) && permissions.includes(ACTIONS[action].permission);

/** All actions, in the order in which they are offered. */
export const ACTION_NAMES: readonly ScheduledAction[] = Object.keys(ACTIONS).filter(isAction);

/** Gives the actions that a person with these permissions may schedule. */
export const allowedActions = (permissions: readonly Permission[]): ScheduledAction[] =>
  ACTION_NAMES.filter((action) => allowsAction(permissions, action));

/** Whether the runs of an action may be spread: those of a promotion begin together. */
export const isSpreadable = (action: ScheduledAction): boolean => action !== "PROMOTE";
