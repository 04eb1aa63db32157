import { expect, it } from "vitest";
import { coloredParts } from "../../../src/console/log/colored-parts.ts";

const red = { color: "RED", bold: false };
const plain = { color: null, bold: false };

it.each([
  ["", [], []],
  ["plain", [], [{ at: 0, text: "plain", ...plain }]],
  ["all", [{ from: 0, to: 3, ...red }], [{ at: 0, text: "all", ...red }]],
  [
    "a red b",
    [{ from: 2, to: 5, ...red }],
    [
      { at: 0, text: "a ", ...plain },
      { at: 2, text: "red", ...red },
      { at: 5, text: " b", ...plain },
    ],
  ],
  // A long line is cut before it is drawn.
  [
    "cut",
    [
      { from: 2, to: 9, ...red },
      { from: 20, to: 30, ...red },
    ],
    [
      { at: 0, text: "cu", ...plain },
      { at: 2, text: "t", ...red },
    ],
  ],
])("splits %j", (text, spans, parts) => {
  expect(coloredParts(text, spans)).toEqual(parts);
});
