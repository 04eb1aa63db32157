import { LIMITS } from "../../model/kit/limits.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { Invitation } from "../../model/people/invitation.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { listSignInMethods, spendAttempt } from "../../persistence/people/identity-store.ts";
import {
  findInvitationByCode,
  lockInvitation,
  markInvitationAccepted,
} from "../../persistence/people/invitation-store.ts";
import {
  findPasskeyCredential,
  insertPasskey,
  listCredentialIds,
  usePasskey,
} from "../../persistence/people/passkey-store.ts";
import { setSponsor } from "../../persistence/people/sponsor-store.ts";
import { findTeams, insertMember } from "../../persistence/people/team-store.ts";
import { isPresent } from "../access/presence.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import { type Browser, type OpenedSession, openSession } from "./open-session.ts";
import {
  creationOptions,
  requestOptions,
  usedCredentialId,
  verifyCreation,
  verifyRequest,
} from "./passkey-ceremony.ts";
import { SignInRefused } from "./sign-in-refused.ts";

/** The exchanges that make and use passkeys. All throw SignInRefused with words for the person. */
export type Registrant = { readonly code: string } | { readonly caller: ActorCaller };

/** An exchange that was begun. The browser gets the options and gives the challenge back, sealed. */
export interface Begun {
  options: object;
  challenge: string;
}

/** The use cases of passkeys. All throw SignInRefused with words for the person. */
export interface Passkeys {
  beginRegistration(registrant: Registrant): Promise<Begun>;
  /** Adds the passkey. Accepts the invitation, if there is one, and opens a session for its person. */
  finishRegistration(registrant: Registrant, answer: PasskeyAnswer, browser: Browser): Promise<OpenedSession | null>;
  beginSignIn(): Promise<Begun>;
  finishSignIn(answer: PasskeyAnswer, browser: Browser): Promise<OpenedSession>;
}

/** An answer of an authenticator to a challenge. */
export interface PasskeyAnswer {
  challenge: string;
  /** The JSON form of PublicKeyCredential. */
  credential: unknown;
  /** The name of a new passkey. */
  name?: string;
}

const CHALLENGE_BYTES = 32;
const CODE_LENGTH = 100;
const NO_INVITATION = "The invitation is not valid any more. Ask for a new one.";
const BY_PROVIDER = "You sign in with the identity provider. Passkeys are for people without an account there.";
const NOT_PRESENT = "Sign in again to add a passkey.";

/** `origin`: the address of the pages, for which alone the passkeys are good. */
export function createPasskeys(deps: Deps, origin: string): Passkeys {
  const site = { origin };
  const newChallenge = () => new Uint8Array(deps.randomBytes(CHALLENGE_BYTES));
  const textOf = (challenge: Uint8Array): string => Buffer.from(challenge).toString("base64url");

  async function personOf(registrant: Registrant): Promise<{ actor: Actor; invitation: Invitation | null }> {
    if ("caller" in registrant) {
      const { actor } = registrant.caller;
      if (!isPresent(registrant.caller, deps.clock())) throw new SignInRefused(NOT_PRESENT);
      // A person who leaves is disabled at the provider: a passkey would let it in for ever.
      if ((await listSignInMethods(deps.database, actor.id)).includes("OIDC")) throw new SignInRefused(BY_PROVIDER);
      return { actor, invitation: null };
    }
    const { code } = registrant;
    const hash = hashSecret(code.slice(0, CODE_LENGTH));
    const invitation = await findInvitationByCode(deps.database, hash, deps.clock().toISOString());
    if (invitation === null) throw new SignInRefused(NO_INVITATION);
    return { actor: invitation.actor, invitation };
  }

  /** A challenge is good once, also for those who copied the answer. */
  async function spend(tx: Transaction, challenge: string, at: Date): Promise<void> {
    const until = new Date(at.getTime() + LIMITS.signInMs).toISOString();
    if (!(await spendAttempt(tx, hashSecret(challenge), until))) throw new SignInRefused("Try again.");
  }

  return {
    async beginRegistration(registrant) {
      const { actor } = await personOf(registrant);
      const known = await listCredentialIds(deps.database, actor.id);
      if (known.length >= LIMITS.passkeysPerPerson) {
        throw new SignInRefused(`You have ${LIMITS.passkeysPerPerson} passkeys. Delete one first.`);
      }
      const challenge = newChallenge();
      return {
        challenge: textOf(challenge),
        options: await creationOptions(site, { challenge, person: actor, known }),
      };
    },
    async finishRegistration(registrant, { challenge, credential, name }, browser) {
      const { actor, invitation } = await personOf(registrant);
      const made = await verifyCreation(site, challenge, credential);
      const at = deps.clock();
      const work = deps.database.transaction(async (tx) => {
        await spend(tx, challenge, at);
        const now = at.toISOString();
        const label = name?.trim().replaceAll("\0", "").slice(0, LIMITS.nameLength).toWellFormed();
        const facts = { id: deps.newId("passkey"), actorId: actor.id, createdAt: now, lastUsedAt: null };
        await insertPasskey(tx, { ...facts, name: label === undefined || label === "" ? "Passkey" : label }, made);
        if (invitation === null) return null;
        await accept(tx, deps, invitation, at);
        return openSession(tx, deps, { actor, method: "PASSKEY", browser, presentAt: now }, null, at);
      });
      return work.catch((error: unknown) => {
        if (violates(error, "passkey_credential_id_key")) throw new SignInRefused("This passkey is known already.");
        throw error;
      });
    },
    async beginSignIn() {
      const challenge = newChallenge();
      return { challenge: textOf(challenge), options: await requestOptions(site, challenge) };
    },
    async finishSignIn({ challenge, credential }, browser) {
      const credentialId = usedCredentialId(credential);
      const passkey = credentialId === null ? null : await findPasskeyCredential(deps.database, credentialId);
      if (passkey === null) throw new SignInRefused("This passkey is not known here.");
      const counter = await verifyRequest(site, challenge, credential, passkey);
      if (passkey.disabled) throw new SignInRefused("You are disabled here. Ask an administrator.");
      const at = deps.clock();
      return deps.database.transaction(async (tx) => {
        await spend(tx, challenge, at);
        const now = at.toISOString();
        if (!(await usePasskey(tx, passkey.id, counter, now))) {
          throw new SignInRefused("This passkey was copied or deleted, and is not accepted any more.");
        }
        return openSession(tx, deps, { actor: passkey.actor, method: "PASSKEY", browser, presentAt: now }, null, at);
      });
    },
  };
}

/** Makes the person a member of the teams that are still there. Two who accept at once: the second is refused. */
async function accept(
  tx: Transaction,
  { sponsoredMs }: Pick<Deps, "sponsoredMs">,
  invitation: Invitation,
  now: Date,
): Promise<void> {
  if ((await lockInvitation(tx, invitation.id)) === null) throw new SignInRefused(NO_INVITATION);
  const at = now.toISOString();
  await markInvitationAccepted(tx, invitation.id, at);
  if (sponsoredMs > 0) {
    const until = new Date(now.getTime() + sponsoredMs).toISOString();
    await setSponsor(tx, invitation.actor.id, { inviterId: invitation.invitedById, at, until });
  }
  const teams = invitation.teamIds.length === 0 ? [] : await findTeams(tx, invitation.teamIds);
  for (const team of teams) {
    if (team !== null) await insertMember(tx, { teamId: team.id, actorId: invitation.actor.id, addedAt: at });
  }
}
