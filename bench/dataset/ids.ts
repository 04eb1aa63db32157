/** Ids that follow from a number, so that every peer can be asked for the same rows without a list of them. */
import { createHash } from "node:crypto";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { ID_PREFIXES, type IdKind } from "../../src/model/kit/id.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
/** Hexadecimal digits are all in the alphabet of ids. */
const TAIL_DIGITS = 16;

/** When the first run was created. */
export const FIRST_RUN_AT_MS = Date.UTC(2025, 0, 1);
/** All runs were created within this long, at equal distances. */
const SPAN_MS = 640 * 24 * 3600 * 1000;

/** The size of a data set. */
export interface Shape {
  readonly runCount: number;
  readonly workspaceCount: number;
  readonly organizationCount: number;
  readonly logLineCount: number;
}

/** Makes an id as the product does: the time as ten digits to base 32, then a distinguishing part. */
export function idOf(kind: IdKind, ms: number, name: string): string {
  let time = "";
  for (let digit = 0, rest = ms; digit < TIME_DIGITS; digit += 1, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time;
  }
  return `${ID_PREFIXES[kind]}_${time}${createHash("md5").update(name).digest("hex").slice(0, TAIL_DIGITS)}`;
}

/** Makes ids in SQL, by functions of the session, which Postgres inlines. */
export const ID_FUNCTION = `create function pg_temp.id_of(prefix text, ms bigint, name text) returns text
  language sql immutable as $$ select prefix || '_' || ${timeDigits()} || substr(md5(name), 1, ${TAIL_DIGITS}) $$`;

function timeDigits(): string {
  const places = Array.from({ length: TIME_DIGITS }, (_, index) => 5 * (TIME_DIGITS - 1 - index));
  return places.map((bits) => `substr('${ALPHABET}', ((ms >> ${bits}) & 31)::int + 1, 1)`).join(" || ");
}

/** Milliseconds between two runs. */
export function runStepMs({ runCount }: Shape): number {
  return Math.floor(SPAN_MS / runCount);
}

/** Runs are numbered by age from 0; run `number` belongs to workspace `number` modulo their count. */
export function runId(shape: Shape, number: number): string {
  return idOf("run", FIRST_RUN_AT_MS + number * runStepMs(shape), `run${number}`);
}

export function workspaceId(number: number): string {
  return idOf("workspace", FIRST_RUN_AT_MS - 1000, `ws${number}`);
}

/** The first one is the organization that every installation has. */
export function organizationId(number: number): string {
  return number === 0 ? DEFAULT_ORGANIZATION_ID : idOf("organization", FIRST_RUN_AT_MS - 2000, `org${number}`);
}

/** The run with the large log: an old one of the first workspace, so that no page of newest runs has it. */
export function loggedRunId(shape: Shape): string {
  return runId(shape, 0);
}
