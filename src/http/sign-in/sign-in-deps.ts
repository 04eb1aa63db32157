import type { SignIns } from "../../domain/sign-in/sign-ins.ts";
import type { TrustedNetwork } from "../kit/client-address.ts";
import type { Site } from "../kit/site.ts";
import type { TokenDoor } from "../route/token-door.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** How people of an installation sign in. */
export interface SignInSettings {
  site: Site;
  /** `null`: there is none. */
  provider: IdentityProvider | null;
  signIns: SignIns;
  /** Logs why a sign-in did not succeed. The page does not show it. */
  onRefused: (error: unknown, step: string) => void;
  /** Logs what an administrator should set up differently. */
  onWarning: (message: string) => void;
}

export interface SignInDeps extends SignInSettings {
  /** Limits how many secrets that are not valid an address may send. */
  enter: TokenDoor;
  clock: () => Date;
  trustedProxies: readonly TrustedNetwork[];
}
