/** The access to repositories of git hosts. */
import { invalidField } from "../../model/kit/user-error.ts";
import type { GitHostKind } from "../../model/repository/git-host.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { findHostCredential } from "../../persistence/repository/git-host-store.ts";
import { AppTokenRefused } from "../kit/app-tokens.ts";
import type { Deps } from "../kit/deps.ts";
import type { HostAccess } from "../kit/git-fetcher.ts";

type AccessDeps = Pick<Deps, "database" | "cipher" | "appTokens">;

/** How git authenticates to a repository, and the kind of its host. */
interface KnownHostAccess extends HostAccess {
  kind: GitHostKind;
}

/** Returns how git authenticates to a repository now. Throws AppTokenRefused. */
export async function openAccess(
  { database, cipher, appTokens }: AccessDeps,
  { gitHostId, name, url }: Pick<Repository, "gitHostId" | "name" | "url">,
): Promise<KnownHostAccess> {
  const { kind, credential } = await findHostCredential(database, cipher, gitHostId);
  if (credential.type !== "APP") return { kind, login: credential, holder: null };
  const token = await appTokens.of(credential, { name, url });
  // Tokens change every hour, the app does not.
  const holder = `app ${credential.appId} of ${gitHostId}`;
  return { kind, login: { type: "TOKEN", username: APP_USERNAME, token }, holder };
}

/** As `openAccess`; throws INVALID_INPUT. */
export async function openSourceAccess(
  deps: AccessDeps,
  repository: Pick<Repository, "gitHostId" | "name" | "url">,
): Promise<KnownHostAccess> {
  try {
    return await openAccess(deps, repository);
  } catch (error) {
    if (!(error instanceof AppTokenRefused)) throw error;
    throw invalidField("source.git.repositoryId", `could not be fetched. ${error.message}`);
  }
}

/** The user of tokens of apps. */
const APP_USERNAME = "x-access-token";
