import { realpath } from "node:fs/promises";

import type { Client } from "../client/client.ts";
import {
  CreateDirectoryWorkspaceDocument,
  WorkspaceByNameDocument,
  type WorkspaceSummaryFragment,
} from "../client/generated/graphql.ts";
import { DemoError, withIssues } from "./demo-error.ts";

export interface DemoWorkspace {
  readonly workspace: WorkspaceSummaryFragment;
  /** Whether it is new; false if an earlier demo created it. */
  readonly created: boolean;
}

const organization = "default";
const baseName = "hello";
const namesTriedCount = 20;

/**
 * Finds the workspace of the demo or creates it: `hello`, else `hello-2` and so on. A workspace that exists is used
 * only when it was made from the same folder: the demo approves what it plans, so it must never touch another one.
 *
 * @param sourcePath the folder of the example, on the server's disk
 */
export async function openDemoWorkspace(client: Client, sourcePath: string): Promise<DemoWorkspace> {
  for (let attempt = 1; attempt <= namesTriedCount; attempt += 1) {
    const name = attempt === 1 ? baseName : `${baseName}-${attempt}`;
    const created = await createWorkspace(client, name, sourcePath);
    if (created) return { workspace: created, created: true };
    const { workspace } = await client.request(WorkspaceByNameDocument, { organization, name });
    if (workspace && (await isUsable(workspace, sourcePath))) return { workspace, created: false };
  }
  throw new DemoError(
    `The names ${baseName} to ${baseName}-${namesTriedCount} are all taken. Delete one of these workspaces.`,
  );
}

/** Creates the workspace; undefined if the name is taken. */
async function createWorkspace(
  client: Client,
  name: string,
  path: string,
): Promise<WorkspaceSummaryFragment | undefined> {
  const description = "The example of the demo.";
  const { createWorkspace: result } = await client.request(CreateDirectoryWorkspaceDocument, {
    name,
    description,
    path,
  });
  switch (result.__typename) {
    case "CreateWorkspaceSuccess":
      return result.workspace;
    case "NameTakenError":
      return undefined;
    case "InvalidInputError":
      throw new DemoError(
        `${withIssues(result.message, result.issues)}\n` +
          `The server reads folders below HOLDPOINT_SOURCE_ROOTS only; the example is ${path}.`,
      );
    case "NotFoundError":
    case "ForbiddenError":
      throw new DemoError(`The workspace ${name} cannot be created: ${result.message}`);
    default:
      throw unknownAnswer(result);
  }
}

async function isUsable(workspace: WorkspaceSummaryFragment, sourcePath: string): Promise<boolean> {
  if (workspace.source.__typename !== "DirectorySource" || workspace.lock) return false;
  if (workspace.currentRun && workspace.currentRun.kind !== "DEPLOY") return false;
  const [theirs, ours] = await Promise.all([resolved(workspace.source.path), resolved(sourcePath)]);
  return theirs === ours;
}

/** Resolves links: the server may name the folder by another one. */
async function resolved(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Describes an unknown result: a newer server may answer with a member that this client does not know; user errors carry a message anyway. */
export function unknownAnswer(result: never): DemoError {
  const { __typename, message }: { __typename?: string; message?: string } = result;
  return new DemoError(
    message ?? `The server answered ${__typename}, which this version does not know. Use the version of the server.`,
  );
}
