import { createContext, useContext } from "react";
import type { ViewerQuery } from "../generated/graphql.ts";

/** The person of the session, and the organizations that it may see. */
export interface Session {
  readonly actor: ViewerQuery["viewer"]["actor"];
  readonly organizations: readonly ViewerQuery["organizations"]["edges"][number]["node"][];
}

export const SessionContext = createContext<Session | null>(null);

/** Gives the session. Pages behind the sign-in have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no session here.");
  return session;
}
