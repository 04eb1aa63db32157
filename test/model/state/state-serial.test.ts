import { expect, it } from "vitest";
import { withSerial } from "../../../src/model/state/state-serial.ts";

const change = (text: string, serial = 9): string | null => withSerial(Buffer.from(text), serial)?.toString() ?? null;

it("changes the serial of the file alone, whatever else there is", () => {
  const state = (serial: number) => `{
  "version": 4, "terraform_version": "1.11.4",
  "outputs": {"serial": {"value": "\\"serial\\": 3", "n": 12345678901234567890.10}},
  "list": [{"serial": 5}, "é\\\\"], "serial": ${serial}, "lineage": "serial",
  "resources": []
}`;
  expect(change(state(3))).toBe(state(9));
  expect(change('{"a":"\\"serial\\":5","serial":3}')).toBe('{"a":"\\"serial\\":5","serial":9}');
  expect(change('{"a\\"serial":5,"serial":3}')).toBe('{"a\\"serial":5,"serial":9}');
  expect(change('{"serial":0}')).toBe('{"serial":9}');
  expect(change('{ "serial"\n : 17 , "a": 1}', 2 ** 52)).toBe('{ "serial"\n : 4503599627370496 , "a": 1}');
});

it("finds none where there is none", () => {
  for (const text of ["", "{}", '{"outputs":{"serial":1}}', '{"serial":"3"}', '["serial", 3]', '{"a":"']) {
    expect(change(text)).toBeNull();
  }
});
