/** The query of what clients need to know about the server. */
import { keysOf } from "../../model/kit/keys-of.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { VERSION } from "../../model/kit/version.ts";
import type { Deps } from "../kit/deps.ts";

/** The parts of the product that an installation may have or not have. */
export type ServerFeature = "IDENTITY_PROVIDER" | "DIRECTORY_SOURCES";

export interface ServerFacts {
  version: string;
  /** The origin by which browsers reach the server; `null` if it is not known. */
  publicUrl: string | null;
  features: readonly ServerFeature[];
}

export function createServerQueries({
  publicUrl,
  hasIdentityProvider,
  sourceRoots,
}: Pick<Deps, "publicUrl" | "hasIdentityProvider" | "sourceRoots">) {
  const has: Readonly<Record<ServerFeature, boolean>> = {
    IDENTITY_PROVIDER: hasIdentityProvider,
    DIRECTORY_SOURCES: sourceRoots.length > 0,
  };
  const features = keysOf(has).filter((feature) => has[feature]);
  const facts: ServerFacts = { version: VERSION, publicUrl, features };
  return {
    /** Returns the facts about the server, which every caller that is signed in may know. */
    server: async (_caller: ActorCaller): Promise<ServerFacts> => facts,
  };
}
