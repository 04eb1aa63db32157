import type { Browser } from "playwright-core";
import { startChromium } from "../../browser/chromium.ts";

let shared: Promise<Browser> | undefined;

/**
 * Gives a browser that all files of this process share, because the start of one takes a second of CPU time. Each page has
 * a context of its own, which no other sees. It ends with this process.
 */
export function shareChromium(): Promise<Browser> {
  shared ??= startChromium({});
  return shared;
}
