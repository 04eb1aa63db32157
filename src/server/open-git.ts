import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Deps } from "../domain/kit/deps.ts";
import { createGitFetcher } from "../domain/source/git-fetcher.ts";
import { createAppTokens } from "../domain/source/app-tokens.ts";
import { readCertificates } from "../domain/source/certificates.ts";
import { createRefReader } from "../domain/source/ref-reader.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { Cipher } from "../persistence/installation/cipher.ts";
import type { Config } from "./config.ts";

type GitConfig = Pick<Config, "dataDir" | "inherited" | "gitAllow">;

/** Opens what reads repositories: mirrors for their contents, and a reader of their refs. */
export async function openGit(
  stack: AsyncDisposableStack,
  { dataDir, inherited, gitAllow: allowed }: GitConfig,
  { cipher, sourceRoots }: { cipher: Cipher; sourceRoots: readonly string[] },
): Promise<Pick<Deps, "appTokens" | "git" | "refs">> {
  const options = { sourceRoots, inherited, limits: LIMITS, allowed };
  const git = stack.use(
    await createGitFetcher({
      ...options,
      folder: join(dataDir, "git"),
      randomBytes: (count) => randomBytes(count),
      mac: (text) => cipher.mac("git-mirror", text),
    }),
  );
  const refs = stack.use(await createRefReader({ ...options, folder: join(dataDir, "git-refs") }));
  const ca = await readCertificates(inherited);
  const appTokens = createAppTokens({ clock: () => new Date(), limits: LIMITS, allowed, ca });
  return { appTokens, git, refs };
}
