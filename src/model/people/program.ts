/** Programs that ask a person for a token (RFC 8628, RFC 8252): the forms of what they send. */
import { type Permission, PERMISSIONS } from "./permission-set.ts";

/** A request of a program for a token, as the person sees it. */
export interface ProgramRequest {
  /** The name that the program gave itself. Nothing proves it. */
  client: string;
  /** The network address of the program; `null` if unknown. */
  address: string | null;
  /** `null`: all permissions of the person. */
  permissions: readonly Permission[] | null;
}

/** The ports of this machine on which a program may wait for the browser. */
export const LOOPBACK_PORTS = [10_000, 10_010] as const;

const CLIENT = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,58}[A-Za-z0-9])?$/;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):(\d{5})(?:\/[A-Za-z0-9._~/-]*)?$/;
/** SHA-256 as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a text can be the name of a program: short, and free of signs that would deceive on a page. */
export function isClientName(text: string): boolean {
  return CLIENT.test(text);
}

/** Whether a program of the machine of the browser waits at an address: other addresses never get a code. */
export function isLoopbackRedirect(text: string): boolean {
  const port = Number(LOOPBACK.exec(text)?.[1] ?? 0);
  return port >= LOOPBACK_PORTS[0] && port <= LOOPBACK_PORTS[1];
}

/** Whether a text can be a challenge of PKCE by the method S256. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether a text can be the verifier of a challenge. */
export function isVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/**
 * Reads the permissions that a program asks for, with blanks between them. `null` if it asks for all that the person
 * has; undefined if one of them is unknown.
 */
export function permissionsOfScope(scope: string): readonly Permission[] | null | undefined {
  const names = scope.split(" ").filter((name) => name !== "");
  if (names.length === 0) return null;
  const asked = PERMISSIONS.filter((permission) => names.includes(permission));
  return asked.length === new Set(names).size ? asked : undefined;
}

/** Letters that are no vowels, so that no word comes about, and that are not taken for each other. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH = 8;
/** Bytes from here on would make the first letters more frequent. */
const FAIR_BYTES = 256 - (256 % LETTERS.length);

/** Creates a code that a person can type: eight letters, 34 bits. */
export function newUserCode(randomBytes: (count: number) => Uint8Array): string {
  let code = "";
  while (code.length < CODE_LENGTH) {
    const fair = randomBytes(CODE_LENGTH).filter((byte) => byte < FAIR_BYTES);
    code += Array.from(fair, (byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
  }
  return code.slice(0, CODE_LENGTH);
}

/** Writes a code in two groups, as it is shown. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Reads a code as a person typed it: case, blanks and dashes do not matter. `null` if it can be no code. */
export function userCodeOf(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  const isCode = code.length === CODE_LENGTH && Array.from(code).every((letter) => LETTERS.includes(letter));
  return isCode ? code : null;
}
