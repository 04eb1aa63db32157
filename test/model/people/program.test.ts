import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  isChallenge,
  isClientName,
  isLoopbackRedirect,
  isVerifier,
  newUserCode,
  permissionsOfScope,
  shownUserCode,
  userCodeOf,
} from "../../../src/model/people/program.ts";

describe("the address at which a program waits", () => {
  it.each([
    "http://localhost:10000/login",
    "http://127.0.0.1:10010/",
    "http://localhost:10005",
    "http://127.0.0.1:10009/a/b-c_d.e~f",
  ])("may be %s", (text) => expect(isLoopbackRedirect(text)).toBe(true));

  it.each([
    "",
    "http://localhost:9999/login",
    "http://localhost:10011/login",
    "http://localhost:1000/login",
    "http://localhost:100001/login",
    "http://localhost/login",
    "http://localhost.evil:10000/login",
    "http://localhost:10000.evil/login",
    "http://localhost:10000@evil/login",
    "http://evil@localhost:10000/login",
    "http://evil/http://localhost:10000/",
    "http://localhost:10000\\@evil/",
    "http://localhost:10000/\\evil",
    "http://localhost:10000/?next=evil",
    "http://localhost:10000/#x",
    "http://localhost:10000/%0d%0aset-cookie",
    "http://localhost:10000/\n",
    "\nhttp://localhost:10000/",
    "https://localhost:10000/login",
    "HTTP://LOCALHOST:10000/login",
    "http://127.0.0.2:10000/login",
    "http://127.1:10000/login",
    "http://[::1]:10000/login",
    "http://0.0.0.0:10000/login",
    "custom://localhost:10000/login",
    "javascript:alert(1)//http://localhost:10000/",
  ])("must not be %j", (text) => expect(isLoopbackRedirect(text)).toBe(false));
});

describe("the code that a person types", () => {
  it("has eight letters, and is read in any case with blanks and dashes", () => {
    for (let count = 0; count < 200; count += 1) {
      const code = newUserCode((length) => randomBytes(length));
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      const shown = shownUserCode(code);
      expect(shown).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
      for (const typed of [shown, shown.toLowerCase(), ` ${code.slice(0, 3)} ${code.slice(3)}\t`, code]) {
        expect(userCodeOf(typed)).toBe(code);
      }
    }
  });

  it("has each letter as often as another: bytes that would favour some are left out", () => {
    const bytes = [255, 254, 240, 239, 0, 1, 19, 20, 21, 2, 3, 4, 5, 6];
    const code = newUserCode((length) => new Uint8Array(bytes.splice(0, length)));
    // 240 and above give nothing; 239 is the last letter, 20 the first again.
    expect(code).toBe("ZBCZBCDF");
  });

  it.each(["", "BCDFGHJ", "BCDFGHJKL", "BCDFGHJA", "BCDFGHJ1", "ＢＣＤＦＧＨＪＫ", "BCDFGHJ\0"])(
    "cannot be %j",
    (typed) => expect(userCodeOf(typed)).toBeNull(),
  );
});

it.each([
  ["terraform-cli", true],
  ["A", true],
  ["Holdpoint CLI 1.0", true],
  ["a".repeat(60), true],
  ["a".repeat(61), false],
  ["", false],
  [" a", false],
  ["a ", false],
  ["<b>", false],
  ["a\nb", false],
  ["a\u202Eb", false],
])("%j can be the name of a program: %j", (text, expected) => expect(isClientName(text)).toBe(expected));

it("a scope lists permissions; none asks for all", () => {
  expect(permissionsOfScope("")).toBeNull();
  expect(permissionsOfScope("  ")).toBeNull();
  expect(permissionsOfScope("RUN_READ  ORGANIZATION_READ RUN_READ")).toEqual(["ORGANIZATION_READ", "RUN_READ"]);
  for (const unknown of ["run_read", "RUN_READ openid", "*", "toString"]) {
    expect(permissionsOfScope(unknown)).toBeUndefined();
  }
});

it("a challenge is a digest, and a verifier has 43 to 128 signs", () => {
  expect(isChallenge("a".repeat(43))).toBe(true);
  for (const text of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`]) expect(isChallenge(text)).toBe(false);
  for (const length of [43, 128]) expect(isVerifier("a".repeat(length))).toBe(true);
  for (const text of ["a".repeat(42), "a".repeat(129), `${"a".repeat(42)}+`]) expect(isVerifier(text)).toBe(false);
});
