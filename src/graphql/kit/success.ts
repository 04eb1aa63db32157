import type { Run } from "../../model/run/run.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Success } from "./mutation.ts";
import { RunRef, WorkspaceRef } from "./refs.ts";

/** Builds the success type of a command on a run, with the run after the command. */
export function runSuccess(description: string): Success<Run> {
  return {
    description,
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run as it is now.", resolve: ({ value }) => value }),
    }),
  };
}

/** Builds the success type of a command that creates a run. `run` describes the run. */
export function createdRunSuccess(description: string, run: string): Success<{ run: Run; created: boolean }> {
  return {
    description,
    fields: (t) => ({
      run: t.field({ type: RunRef, description: run, resolve: ({ value }) => value.run }),
      created: t.boolean({
        description: "Whether the run is new. `false` if the idempotency key was already used for the same request.",
        resolve: ({ value }) => value.created,
      }),
    }),
  };
}

/** Builds the success type of a command on a workspace, with the workspace after the command. */
export function workspaceSuccess(description: string): Success<Workspace> {
  return {
    description,
    fields: (t) => ({
      workspace: t.field({
        type: WorkspaceRef,
        description: "The workspace as it is now.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}

/** Builds the success type of a command that deletes an object. `id` describes its id. */
export function deletedSuccess(description: string, id: string): Success<string> {
  return {
    description,
    fields: (t) => ({ deletedId: t.id({ description: id, resolve: ({ value }) => value }) }),
  };
}

/** Builds the success type of a command that revokes a credential. `id` describes its id. */
export function revokedSuccess(description: string, id: string): Success<string> {
  return {
    description,
    fields: (t) => ({ revokedId: t.id({ description: id, resolve: ({ value }) => value }) }),
  };
}
