import { GraphQLError, GraphQLScalarType } from "graphql";

import { builder } from "./builder.ts";

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const MINUTE_MS = 60_000;

/**
 * Reads an instant in any form of RFC 3339 and writes it in UTC with milliseconds; further digits are cut off. null
 * where it is none, leap seconds included: Postgres and JavaScript have no place for them.
 */
export function normalizeDateTime(text: string): string | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const field = (index: number): number => Number(match[index] ?? "0");
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(field);
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, millisecond);
  const rolledOver =
    local.getUTCMonth() !== month - 1 ||
    local.getUTCDate() !== day ||
    local.getUTCHours() !== hour ||
    local.getUTCMinutes() !== minute ||
    local.getUTCSeconds() !== second;
  if (rolledOver || field(9) > 23 || field(10) > 59) return null;
  const offsetMinutes = (match[8] === "-" ? -1 : 1) * (field(9) * 60 + field(10));
  const instant = new Date(local.getTime() - offsetMinutes * MINUTE_MS);
  const inRange = instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;
  return inRange ? instant.toISOString() : null;
}

function parseDateTime(value: unknown): string {
  const instant = typeof value === "string" ? normalizeDateTime(value) : null;
  if (instant !== null) return instant;
  const shown = JSON.stringify(value)?.slice(0, 60);
  throw new GraphQLError(
    `${shown} is not a DateTime. Give a string in the format of RFC 3339, for example "2026-11-20T16:07:25.447Z".`,
  );
}

builder.addScalarType(
  "DateTime",
  new GraphQLScalarType<string, string>({
    name: "DateTime",
    description:
      "An instant in RFC 3339, in UTC with milliseconds: 2026-11-20T16:07:25.447Z. Input may have any offset and precision of RFC 3339.",
    specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
    // Entities carry such strings already: they are written in SQL, so that no Date is made on the way.
    serialize: String,
    parseValue: parseDateTime,
  }),
);

builder.scalarType("JSON", {
  description: "A JSON value that a provider defines. A number that a double cannot hold exactly is a string.",
  serialize: (value) => value,
});

const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;

builder.scalarType("Decimal", {
  description: 'A decimal number as a string, such as "12.50", because a double would round it.',
  serialize: (value) => value,
  parseValue(value) {
    if (typeof value === "string" && DECIMAL.test(value)) return value;
    throw new GraphQLError(`${JSON.stringify(value)?.slice(0, 60)} is not a Decimal. Give a string such as "12.50".`);
  },
});
