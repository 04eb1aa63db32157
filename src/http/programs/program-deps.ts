import type { ProgramRequests } from "../../domain/programs/program-requests.ts";
import type { ExchangeToken } from "../../domain/programs/token-exchange.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { TrustedNetwork } from "../kit/client-address.ts";
import type { HttpExchange } from "../route/route.ts";
import type { SignInDeps } from "../sign-in/sign-in-deps.ts";

/** The use cases of programs that want a token. */
export interface Programs {
  requests: ProgramRequests;
  exchange: ExchangeToken;
  /** Logs why a token was not exchanged. The program does not see it. */
  onRefused: (reason: string) => void;
}

export interface ProgramDeps extends Programs {
  /** How people sign in; `null`: they do not, and no program can ask them for a token. */
  signIn: SignInDeps | null;
  clock: () => Date;
  trustedProxies: readonly TrustedNetwork[];
}

/** The dependencies of pages on which a person answers a program. */
export interface PageDeps extends ProgramDeps {
  signIn: SignInDeps;
}

/** A person who is signed in in the browser. */
export interface SignedIn {
  person: ActorCaller;
  exchange: HttpExchange;
}
