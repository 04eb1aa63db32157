import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExactJson } from "../../../src/model/kit/exact-json.ts";

const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})$/);
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    digits,
    fc.option(fc.stringMatching(/^\d{1,20}$/)),
    fc.option(fc.integer({ min: -400, max: 400 })),
  )
  .map(([sign, whole, fraction, exponent]) => {
    return `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`;
  });

/** What a number is worth: its digits without zeros at either end, and where the point is. */
function worth(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)\.?(\d*)(?:e\+?(-?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const short = all.replace(/0+$/, "");
  return short === "" ? "0" : `${sign}${short}e${Number(exponent) - fraction.length + all.length - short.length}`;
}

test("a number is either itself or its digits, wherever it stands", () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), fc.constantFrom("", " ", "\n\t"), (numbers, space) => {
      const items = numbers.map((text) => `{"n":${space}${text}${space}}`);
      const parsed = parseExactJson(`[${numbers[0]}${space},${space}${items.join(`${space},`)}]`);
      expect(Array.isArray(parsed)).toBe(true);
      const [first, ...others] = Array.isArray(parsed) ? parsed : [];
      for (const [at, value] of [first, ...others.map((item) => item.n)].entries()) {
        const source = numbers[Math.max(0, at - 1)] ?? "";
        expect(worth(String(value)), source).toBe(worth(source));
        // What a double holds stays a number.
        if (Number.isFinite(Number(source)) && worth(String(Number(source))) === worth(source)) {
          expect(value).toBe(Number(source));
        } else expect(value).toBe(source);
      }
    }),
    { numRuns: 1000 },
  );
  expect(parseExactJson("12345678901234567890")).toBe("12345678901234567890");
  expect(parseExactJson('"12345678901234567890"')).toBe("12345678901234567890");
});

test.each([
  "9007199254740993",
  "[9007199254740993]",
  "[1,9007199254740993]",
  '{"n":9007199254740993}',
  '{"n": 9007199254740993}',
])("the shortest number that a double may not hold is its digits: %s", (text) => {
  expect(parseExactJson(text)).toEqual(JSON.parse(text.replace("9007199254740993", '"9007199254740993"')));
});

test("what is beside such a number is as JSON has it", () => {
  const text = '{"big":-12345678901234567890,"text":"1e999","none":null,"no":false,"list":["a",-0.0,1.50e1]}';
  const beside = { text: "1e999", none: null, no: false, list: ["a", -0, 15] };
  expect(parseExactJson(text)).toEqual({ big: "-12345678901234567890", ...beside });
});
