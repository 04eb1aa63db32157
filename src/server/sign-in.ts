/** Builds how people sign in from the configuration. */
import type { Deps } from "../domain/kit/deps.ts";
import { createSignIns } from "../domain/sign-in/sign-ins.ts";
import type { createIdentityProvider, IdentityProvider } from "../http/sign-in/identity-provider.ts";
import type { SignInSettings } from "../http/sign-in/sign-in-deps.ts";
import type { Config } from "./config.ts";

/** Gives how people sign in; `null` where it is not known how browsers reach the server. */
export async function createSignIn(
  { signIn: { oidc } }: Config,
  deps: Deps,
  log: Pick<SignInSettings, "onRefused" | "onWarning">,
): Promise<SignInSettings | null> {
  const { publicUrl: origin } = deps;
  if (origin === null) return null;
  const site = { origin, isSecure: origin.startsWith("https:") };
  const provider = oidc === undefined ? null : await openProvider(oidc, { site, clock: deps.clock });
  return { site, provider, signIns: createSignIns(deps), ...log };
}

/** Loads the library only where there is a provider. */
async function openProvider(...settings: Parameters<typeof createIdentityProvider>): Promise<IdentityProvider> {
  const { createIdentityProvider: create } = await import("../http/sign-in/identity-provider.ts");
  return create(...settings);
}
