import { LIMITS } from "../../model/kit/limits.ts";
import type { Profile } from "../../model/people/profile.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { insertActor } from "../../persistence/people/actor-store.ts";
import {
  type IdentifiedActor,
  insertIdentity,
  lockIdentity,
  noteSignIn,
  spendAttempt,
} from "../../persistence/people/identity-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import { confirmGroups } from "./confirm-memberships.ts";
import { type Browser, type OpenedSession, openSession } from "./open-session.ts";
import { SignInRefused } from "./sign-in-refused.ts";

/** An answer of an identity provider that was verified. */
export interface ProviderSignIn {
  profile: Profile;
  /** The provider's own id of the session, if it has one. */
  providerSession: string | null;
  /** When the person proved to be present at the provider; `null` if it did not send it. */
  presentAt: string | null;
  /** The state that was sent to the provider: it is good for one sign-in. */
  state: string;
  /** The group whose people administer the installation; `null`: no group does. */
  adminGroup: string | null;
}

type SignInDeps = Pick<Deps, "database" | "clock" | "newId" | "randomBytes">;

/**
 * Signs a person in whom an identity provider has identified, and opens a session. A person is known by issuer and
 * subject alone. The first sign-in makes a new person, also where the e-mail address is that of another.
 *
 * @throws SignInRefused if the person is disabled, or if the state was used before
 */
export async function signInByProvider(
  deps: SignInDeps,
  signIn: ProviderSignIn,
  browser: Browser,
): Promise<OpenedSession> {
  const work = () => deps.database.transaction((tx) => signInWithin(tx, deps, signIn, browser));
  return work().catch((error: unknown) => {
    // Two first sign-ins of one person at the same time: now the person is there.
    if (violates(error, "identity_pkey")) return work();
    throw error;
  });
}

async function signInWithin(
  tx: Transaction,
  deps: SignInDeps,
  { profile, providerSession, presentAt, state, adminGroup }: ProviderSignIn,
  browser: Browser,
): Promise<OpenedSession> {
  const at = deps.clock();
  const until = new Date(at.getTime() + LIMITS.signInMs).toISOString();
  if (!(await spendAttempt(tx, hashSecret(state), until))) throw new SignInRefused("The link was used before.");
  const { actor, disabled } = (await lockIdentity(tx, profile)) ?? (await addPerson(tx, deps, profile, at));
  if (disabled) throw new SignInRefused("You are disabled here. Ask an administrator.");
  await noteSignIn(tx, profile, actor.id, at.toISOString());
  const { groups, issuer, subject } = profile;
  if (await confirmGroups(tx, deps, actor.id, { groups, adminGroup }, at)) tx.announce("rights");
  const named = { ...actor, name: profile.name };
  const session = { actor: named, method: "OIDC", browser, presentAt } as const;
  return openSession(tx, deps, session, { issuer, subject, providerSession }, at);
}

async function addPerson(tx: Transaction, { newId }: SignInDeps, profile: Profile, at: Date): Promise<IdentifiedActor> {
  const actor = { id: newId("user"), kind: "USER", name: profile.name } as const;
  await insertActor(tx, actor, at.toISOString());
  await insertIdentity(tx, profile, actor.id, at.toISOString());
  return { actor, disabled: false };
}
