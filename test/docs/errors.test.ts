/** docs/errors.md and the registries name the same codes. */
import { readFileSync } from "node:fs";
import { CloseCode } from "graphql-ws";
import { describe, expect, test } from "vitest";
import { PUBLIC_CODES } from "../../src/graphql/kit/errors.ts";
import { FAILURE_CODES } from "../../src/model/lifecycle/failure-code.ts";
import { USER_ERRORS } from "../../src/model/kit/user-error.ts";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

/** The protocol's own, but for those with which a client closes. */
const CLIENTS_OWN = [CloseCode.InternalClientError, CloseCode.BadResponse, CloseCode.ConnectionAcknowledgementTimeout];
const ownCodes = Object.values(CloseCode).filter((code): code is CloseCode => typeof code === "number");
const closeCodes = ownCodes.filter((code) => !CLIENTS_OWN.includes(code)).map(String);
/** Those of WebSocket itself that this server uses: it goes away, a message is too long, or the database is away. */
const STANDARD = ["1001", "1009", "1013"];

const REGISTRIES = {
  "User errors": Object.keys(USER_ERRORS),
  "Top-level errors": [...PUBLIC_CODES, "INTERNAL"],
  Failures: FAILURE_CODES,
  "Close codes": [...STANDARD, ...closeCodes],
};

/** The text below each heading of this level. */
function parts(text: string, level: string): Map<string, string> {
  const [, ...found] = text.split(new RegExp(`^${level} `, "m"));
  return new Map(found.map((part) => [part.slice(0, part.indexOf("\n")).replaceAll("`", ""), part]));
}

const sections = parts(page, "##");

test("the page has a section for each registry", () => {
  expect([...sections.keys()]).toEqual(Object.keys(REGISTRIES));
});

describe.each(Object.entries(REGISTRIES))("%s", (name, codes) => {
  const entries = parts(sections.get(name) ?? "", "###");

  test("are those of the registry", () => {
    expect([...entries.keys()].toSorted()).toEqual([...codes].toSorted());
  });

  test.each([...codes])("%s has a symptom, a cause and a fix", (code) => {
    for (const word of ["Symptom", "Cause", "Fix"]) {
      expect(entries.get(code)).toMatch(new RegExp(`^- \\*\\*${word}:\\*\\* .{10,}`, "m"));
    }
  });
});

test.each(Object.entries(USER_ERRORS))("%s names its type", (code, { type }) => {
  expect(parts(sections.get("User errors") ?? "", "###").get(code)).toContain(`\`${type}\``);
});
