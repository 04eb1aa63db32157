/** The exchanges with an authenticator, by the library, which is loaded when the first person uses a passkey. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { LIMITS } from "../../model/kit/limits.ts";
import type { PasskeyCredential } from "../../model/people/passkey.ts";
import { SignInRefused } from "./sign-in-refused.ts";

/** ECDSA and RSA, which every authenticator offers. Where newer ones are listed, browsers prefer them. */
const ALGORITHMS = [-7, -257];
const TEXT = 16_384;

const text = z.string().max(TEXT);
const common = {
  id: text,
  rawId: text,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["cross-platform", "platform"]).optional().catch(undefined),
};
const registration = z.object({
  ...common,
  response: z.object({ clientDataJSON: text, attestationObject: text }),
});
const authentication = z.object({
  ...common,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text }),
});

const load = () => import("@simplewebauthn/server");

/** The site for which passkeys are made. */
interface PasskeySite {
  origin: string;
}

/** Returns what a browser needs to make a passkey. `known`: ids of those that the person has already. */
export async function creationOptions(
  { origin }: PasskeySite,
  {
    challenge,
    person,
    known,
  }: { challenge: Uint8Array<ArrayBuffer>; person: { id: string; name: string }; known: readonly Buffer[] },
): Promise<object> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: "Holdpoint",
    rpID: new URL(origin).hostname,
    userName: person.name,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge,
    timeout: LIMITS.signInMs,
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id: id.toString("base64url") })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns what a browser needs to sign in by any passkey of this site. */
export async function requestOptions({ origin }: PasskeySite, challenge: Uint8Array<ArrayBuffer>): Promise<object> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge,
    timeout: LIMITS.signInMs,
    userVerification: "required",
  });
}

/** Verifies a new passkey. Throws SignInRefused. */
export async function verifyCreation(
  site: PasskeySite,
  challenge: string,
  answer: unknown,
): Promise<Pick<PasskeyCredential, "credentialId" | "publicKey" | "counter">> {
  const { data } = registration.safeParse(answer);
  if (data === undefined) throw new SignInRefused("The answer of the browser is no passkey.");
  const { verifyRegistrationResponse } = await load();
  const response: RegistrationResponseJSON = { ...plain(data), response: data.response, clientExtensionResults: {} };
  const result = await verified(() =>
    verifyRegistrationResponse({ ...expectedOf(site, challenge), response, supportedAlgorithmIDs: ALGORITHMS }),
  );
  if (!result.verified) throw new SignInRefused(NOT_VERIFIED);
  const { id, publicKey, counter } = result.registrationInfo.credential;
  return { credentialId: Buffer.from(id, "base64url"), publicKey: Buffer.from(publicKey), counter };
}

/** Returns the id of the passkey that a browser used; `null` if the answer has none. */
export function usedCredentialId(answer: unknown): Buffer | null {
  const { data } = authentication.safeParse(answer);
  return data === undefined ? null : Buffer.from(data.id, "base64url");
}

/** Verifies the signature of a passkey; gives its count of signatures. Throws SignInRefused. */
export async function verifyRequest(
  site: PasskeySite,
  challenge: string,
  answer: unknown,
  { credentialId, publicKey, counter }: PasskeyCredential,
): Promise<number> {
  const { data } = authentication.safeParse(answer);
  if (data === undefined) throw new SignInRefused(NOT_VERIFIED);
  const { verifyAuthenticationResponse } = await load();
  const response: AuthenticationResponseJSON = { ...plain(data), response: data.response, clientExtensionResults: {} };
  const credential = { id: credentialId.toString("base64url"), publicKey: new Uint8Array(publicKey), counter };
  const result = await verified(() =>
    verifyAuthenticationResponse({ ...expectedOf(site, challenge), response, credential }),
  );
  if (!result.verified) throw new SignInRefused(NOT_VERIFIED);
  return result.authenticationInfo.newCounter;
}

const NOT_VERIFIED = "The passkey could not be verified. Try again.";

function plain({ id, rawId, type }: { id: string; rawId: string; type: "public-key" }) {
  return { id, rawId, type };
}

/** The person was verified by the authenticator: by a fingerprint, a face or a PIN. */
function expectedOf({ origin }: PasskeySite, challenge: string) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
}

/** The library throws for everything that is not as it was asked. */
async function verified<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    throw new SignInRefused(NOT_VERIFIED, { cause: error });
  }
}
