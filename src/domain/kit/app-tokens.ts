import type { AppCredential } from "../../model/repository/git-host.ts";

/** The host gave no token. The message is for people and holds no credential. */
export class AppTokenRefused extends Error {
  override readonly name = "AppTokenRefused";
}

/** The tokens that GitHub Apps get for repositories. */
export interface AppTokens {
  /** Returns a token that may read one repository, valid for some minutes more. Throws AppTokenRefused. */
  of: (app: AppCredential, repository: { name: string; url: string }) => Promise<string>;
}
