import { keysOf } from "./keys-of.ts";

/** The prefix of an id is its kind. */
export const ID_PREFIXES = {
  organization: "org",
  project: "prj",
  team: "team",
  role: "role",
  grant: "grant",
  workspace: "ws",
  run: "run",
  plan: "plan",
  phase: "phase",
  approval: "appr",
  comment: "cmt",
  token: "tok",
  session: "sess",
  passkey: "pky",
  invitation: "inv",
  trustRule: "trust",
  user: "usr",
  machineUser: "mch",
  systemActor: "sys",
  runner: "rnr",
  runnerPool: "pool",
  runnerToken: "rtok",
  job: "job",
  blob: "blob",
  upload: "upl",
  stateVersion: "sv",
  recoveredState: "rcv",
  bulkOperation: "bulk",
  changeset: "cs",
  promotionPipeline: "pipe",
  schedule: "sch",
  driftReport: "drift",
  inboundHook: "inh",
  webhook: "hook",
  webhookDelivery: "dlv",
  gitHost: "ghost",
  repository: "repo",
  refChange: "refc",
  policySet: "pset",
  policySetVersion: "pver",
  policyFixture: "pfix",
  policyEvaluation: "peval",
  policyResult: "pres",
  policyException: "pexc",
  policySimulation: "psim",
  externalCheck: "chk",
  externalCheckResult: "chkr",
  checkRequest: "chkq",
  verification: "ver",
  probeTest: "ptest",
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** Crockford's alphabet: no letter that looks like a digit, ASCII order is value order. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const ID_PATTERN = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;
const KINDS = new Map<string, IdKind>(keysOf(ID_PREFIXES).map((kind) => [ID_PREFIXES[kind], kind]));

export type NewId = (kind: IdKind) => string;

/** A clock that was set back by more is followed, so that the time of an id is never far ahead of that of its row. */
const SET_BACK_MS = 30 * 60 * 1000;

/**
 * Creates a generator of ids such as `run_01jd…`: prefix, 48 bits of milliseconds, 80 random bits. Ids sort by time.
 * Within a millisecond, or if the clock goes back a little, they count up, so that ids of one process stay in order.
 * `randomBytes` returns uniformly random bytes.
 */
export function createIds(clock: () => Date, randomBytes: (count: number) => Uint8Array): NewId {
  let ms = -1;
  let tail: number[] = [];
  return (kind) => {
    const now = clock().getTime();
    const isAnew = now > ms || now < ms - SET_BACK_MS;
    const next = isAnew ? null : successor(tail);
    if (next === null) ms = isAnew ? now : ms + 1;
    tail = next ?? Array.from(randomBytes(RANDOM_LENGTH), (byte) => byte % 32);
    return `${ID_PREFIXES[kind]}_${timeDigits(ms)}${tail.map((digit) => ALPHABET.charAt(digit)).join("")}`;
  };
}

function timeDigits(ms: number): string {
  let time = "";
  for (let i = 0, rest = ms; i < TIME_LENGTH; i++) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return time;
}

/** Returns the lowest id of an instant: all earlier ids are lower. */
export function firstIdAt(kind: IdKind, ms: number): string {
  return `${ID_PREFIXES[kind]}_${timeDigits(ms)}${"0".repeat(RANDOM_LENGTH)}`;
}

/** Returns the time of an id in milliseconds, by the clock of its server. */
export function idTimeMs(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1);
  return Array.from({ length: TIME_LENGTH }).reduce<number>(
    (ms, _, i) => ms * 32 + ALPHABET.indexOf(digits.charAt(i)),
    0,
  );
}

/** Returns the next number in base 32 with as many digits; `null` after the last one. */
function successor(digits: readonly number[]): number[] | null {
  const place = digits.findLastIndex((digit) => digit < 31);
  return place === -1 ? null : digits.map((digit, index) => (index < place ? digit : index > place ? 0 : digit + 1));
}

/** Returns the kind of an id; `null` if the text is no id. */
export function idKind(id: string): IdKind | null {
  const prefix = ID_PATTERN.exec(id)?.[1];
  return prefix === undefined ? null : (KINDS.get(prefix) ?? null);
}
