import { keysOf } from "./keys-of.ts";

/** The prefix of an id is its kind. */
export const ID_PREFIXES = {
  organization: "org",
  workspace: "ws",
  run: "run",
  plan: "plan",
  phase: "phase",
  approval: "appr",
  token: "tok",
  user: "usr",
  machineUser: "mch",
  systemActor: "sys",
  runner: "rnr",
  job: "job",
  blob: "blob",
  stateVersion: "sv",
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** Crockford's alphabet: no letter that looks like a digit, ASCII order is value order. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_LENGTH = 10;
const RANDOM_BYTES = 16;
const ID_PATTERN = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;
const KINDS = new Map<string, IdKind>(keysOf(ID_PREFIXES).map((kind) => [ID_PREFIXES[kind], kind]));

export type NewId = (kind: IdKind) => string;

/**
 * Makes ids such as `run_01jd…`: prefix, 48 bits of milliseconds, 80 bits of randomness, so that ids sort by time.
 * `randomBytes` gives that many uniformly random bytes.
 */
export function createIds(clock: () => Date, randomBytes: (count: number) => Uint8Array): NewId {
  return (kind) => {
    let text = "";
    let rest = clock().getTime();
    for (let i = 0; i < TIME_LENGTH; i++) {
      text = ALPHABET.charAt(rest % 32) + text;
      rest = Math.floor(rest / 32);
    }
    for (const byte of randomBytes(RANDOM_BYTES)) text += ALPHABET.charAt(byte % 32);
    return `${ID_PREFIXES[kind]}_${text}`;
  };
}

/** The kind that an id names; null where it is no id at all. */
export function idKind(id: string): IdKind | null {
  const prefix = ID_PATTERN.exec(id)?.[1];
  return prefix === undefined ? null : (KINDS.get(prefix) ?? null);
}
