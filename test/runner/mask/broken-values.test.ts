import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogAppend } from "../../../src/model/log/log-text.ts";
import { TextOutput } from "../../../src/runner/engine/engine-output.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { LogShipper } from "../../../src/runner/log/log-shipper.ts";
import { LineMasker } from "../../../src/runner/mask/line-masker.ts";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Everything that a job ships of these chunks of output. */
async function shipped(secrets: readonly string[], chunks: readonly Buffer[]): Promise<string[]> {
  const masker = new Masker(6);
  masker.add(secrets);
  const texts: string[] = [];
  const log = new LogShipper({
    client: {
      appendLog: async ({ firstLine, lines }: LogAppend) => {
        texts.push(...lines.map(({ text }) => text));
        return { nextLine: firstLine + lines.length, atOnce: 2 };
      },
      declareMasks: async () => null,
    },
    masker,
    nextLine: 1,
    writtenBytes: 0,
    clock: () => new Date(0),
    ended: new AbortController().signal,
    limits: { ...RUNNER_LIMITS, logBatchLines: 3, logBatchBytes: 200 },
    log: quiet,
  });
  const output = new TextOutput(log, RUNNER_LIMITS.logLineBytes, 0);
  for (const chunk of chunks) await output.take(chunk);
  await output.finish();
  await log.close();
  return texts;
}

const junk = (text: string): string => text.replace(/[^a-zA-Z0-9 =:]/g, "").slice(0, 20);
const goJson = (text: string): string =>
  JSON.stringify(text).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
const asciiJson = (text: string): string =>
  JSON.stringify(text).replace(/[^\u0020-\u007e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const percent = (text: string): string =>
  [...Buffer.from(text)].map((b) => `%${b.toString(16).padStart(2, "0")}`).join("");

/** Ways to write a value down; `around` is what stands beside it in what is encoded as a whole. */
const ENCODINGS: Record<string, (secret: string, around: string) => string> = {
  plain: (secret) => secret,
  json: (secret) => JSON.stringify(secret),
  goJson,
  asciiJson,
  twice: (secret) => JSON.stringify(JSON.stringify(secret)),
  uri: (secret) => encodeURIComponent(secret.toWellFormed()),
  form: (secret) => new URLSearchParams({ k: secret.toWellFormed() }).toString().slice(2),
  lowerPercent: (secret) => encodeURIComponent(secret.toWellFormed()).replace(/%../g, (hex) => hex.toLowerCase()),
  everyByte: percent,
  hex: (secret) => Buffer.from(secret).toString("hex"),
  upperHex: (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  base64Inside: (secret, around) => Buffer.from(around + secret + around).toString("base64"),
  base64InUrl: (secret, around) => encodeURIComponent(Buffer.from(around + secret).toString("base64")),
};

/** How a tool or an engine breaks a text into lines. */
const BREAKS: Record<string, (text: string, at: number) => string> = {
  none: (text) => text,
  at64: (text) => text.replace(/.{64}/g, "$&\n"),
  at76: (text) => text.replace(/.{76}/g, "$&\r\n"),
  once: (text, at) => `${text.slice(0, at % text.length)}\n${text.slice(at % text.length)}`,
  often: (text, at) => text.replace(new RegExp(`.{${(at % 9) + 1}}`, "g"), "$&\n"),
  indented: (text, at) => text.replace(new RegExp(`.{${(at % 30) + 4}}`, "g"), "$&\n    "),
  boxed: (text, at) => text.replace(new RegExp(`.{${(at % 30) + 4}}`, "g"), "$&\n│   "),
};

const secret = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 90 }),
    fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
    fc.stringMatching(/^[A-Za-z0-9+/ %\\"<&]{8,120}$/),
  )
  // Control characters are no part of a line, whether they are escaped or not, and a box around a line is none either.
  .map((text) =>
    text
      .replace(/[\p{C}\p{Z}│╷╵]/gu, " ")
      .trim()
      .toWellFormed(),
  )
  .filter((text) => text.replace(/\s/g, "").length >= 8 && new Set(text).size > 3 && !MASK.includes(text));

/** What is left of a text when white space and what breaks lines is taken out. */
const removeSpaces = (text: string): string => text.replace(/[\s│]+/g, "");

/** How it was encoded, without what depends on its neighbours. */
function core(name: string, encoded: string, around: string): string {
  if (!name.startsWith("base64")) return removeSpaces(encoded).replace(/^"|"$/g, "");
  const before = name.includes("In") ? Buffer.byteLength(around) : 0;
  const text = decodeURIComponent(encoded).replace(/=+$/, "");
  const end = name === "base64Inside" ? text.length - Math.ceil((before * 8) / 6) - 1 : text.length - 1;
  return text.slice(Math.ceil((before * 8) / 6), end);
}

test("no form of a value is shipped, however it is written, broken into lines and cut into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...Object.keys(ENCODINGS)),
      fc.constantFrom(...Object.keys(BREAKS)),
      fc.nat(1000),
      fc.string().map(junk),
      fc.array(fc.nat(200), { minLength: 1, maxLength: 8 }),
      async (secrets, encoding, lines, at, around, cuts) => {
        const encoded = ENCODINGS[encoding]?.(secrets[0] ?? "", around) ?? "";
        const text = BREAKS[lines]?.(encoded, at) ?? "";
        const bytes = Buffer.from(`first\n${around}\n${text}\n${around}\nlast\n`);
        const chunks: Buffer[] = [];
        for (let from = 0, index = 0; from < bytes.length; index += 1) {
          const size = (cuts[index % cuts.length] ?? 0) + 1;
          chunks.push(bytes.subarray(from, from + size));
          from += size;
        }
        const texts = await shipped(secrets, chunks);
        const seen = removeSpaces(texts.join("").replaceAll(MASK, ""));
        expect(texts[0]).toBe("first");
        expect(texts.at(-1)).toBe("last");
        const hidden = removeSpaces(core(encoding, encoded, around));
        if (hidden.length >= 8) expect(seen).not.toContain(hidden);
        expect(seen).not.toContain(removeSpaces(secrets[0] ?? ""));
      },
    ),
    { numRuns: 300 },
  );
});

test("a value that several lines share is masked in each of them, and lines keep their order", () => {
  const masker = new Masker(6);
  masker.add(["abcdefghijklmnopqrstuvwxyz"]);
  const lines = new LineMasker<number>(masker);
  const push = (name: string, prefix: string, body: string, owner: number) => lines.push(name, prefix, body, owner);
  expect(push("a", "a: ", "x abcdefgh", 1)).toEqual([]);
  expect(push("b", "b: ", "in between", 2)).toEqual([]);
  expect(push("a", "a: ", "  ijklmnop", 3)).toEqual([]);
  expect(lines.holds).toBe(true);
  expect(push("a", "a: ", "qrstuvwxyz and on", 4)).toMatchObject([
    { text: `a: x ${MASK}`, owner: 1 },
    { text: "b: in between", owner: 2 },
    { text: `a:   ${MASK}`, owner: 3 },
    { text: `a: ${MASK} and on`, owner: 4 },
  ]);
  expect(push("a", "", "x abcdefgh", 5)).toEqual([]);
  expect(push("a", "", "something else", 6)).toMatchObject([
    { text: "x abcdefgh", owner: 5 },
    { text: "something else", owner: 6 },
  ]);
});

test("what is held back is bounded; a part of a value that is let go is masked", () => {
  const masker = new Masker(6);
  const long = Array.from({ length: 3000 }, (_, index) => `${index}-`).join("");
  masker.add([long]);
  const lines = new LineMasker<null>(masker);
  const out: string[] = [];
  for (let at = 0; at < long.length; at += 10) {
    out.push(...lines.push("a", "", long.slice(at, at + 10), null).map(({ text }) => text));
  }
  out.push(...lines.end(true).map(({ text }) => text));
  expect(out.length).toBe(Math.ceil(long.length / 10));
  expect(out.filter((text) => text !== MASK)).toEqual([]);
});
