import { expect, it } from "vitest";
import { browserOf } from "../../../src/console/account/browser.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0", "Firefox 141 on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.1`,
    "Edge 150 on Windows",
  ],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/150.0.0.0 Mobile Safari/537.36`, "Chrome 150 on Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1",
    "Safari 26 on iPhone",
  ],
  ["curl/8.14.1", "curl/8.14.1"],
])("names the product and the system: %s", (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name);
});

it("has a word for a browser without a name", () => {
  expect(browserOf(null)).toBe("a browser");
});
