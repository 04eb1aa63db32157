/** The template of commands about a host of git repositories. */
import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { GitHost } from "../../model/repository/git-host.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockGitHost } from "../../persistence/repository/git-host-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";

/** Hosts are visible only to callers who may change them. */
export const WITH_GIT_HOSTS = { permission: "ORGANIZATION_UPDATE", words: "working with git hosts" } as const;

interface GitHostCommandSpec {
  name: string;
  gitHostId: string;
  check?: (input: InputCheck, host: GitHost) => void;
}

/** Runs a command about a host, under the lock of its row (`command`). */
export function commandGitHost<T>(
  deps: Deps,
  caller: ActorCaller,
  { name, gitHostId, check }: GitHostCommandSpec,
  work: (tx: Transaction, host: GitHost) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...WITH_GIT_HOSTS,
      sight: WITH_GIT_HOSTS.permission,
      name,
      subjectId: gitHostId,
      noun: "git host",
      find: async (tx) => (idKind(gitHostId) === "gitHost" ? lockGitHost(tx, gitHostId) : null),
      placeOf: ({ organizationId }) => organizationPlace({ id: organizationId }),
      check: (input, host) => check?.(input, host),
    },
    work,
  );
}
