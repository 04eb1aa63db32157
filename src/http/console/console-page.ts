import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readCookie } from "../kit/site.ts";

/** The cookie in which a browser keeps the colors that its person has chosen. It is read by scripts as well. */
const THEME_COOKIE = "holdpoint-theme";
/** The colors that a person can choose; without a choice those of the system are used. */
const THEMES = ["light", "dark"] as const;

/** The page of the console. It has the chosen colors from its first paint. */
export interface ConsolePage {
  /** Names the release of the page, so that an open tab can notice another one. */
  readonly etag: string;
  /** Gives the page in the colors that the browser asks for. */
  for(request: IncomingMessage): string;
}

/** Reads the built page. It has one `<html`, which gets the colors as an attribute. */
export function createConsolePage(built: Buffer): ConsolePage {
  const plain = built.toString("utf8");
  const pages = new Map(THEMES.map((theme) => [theme, plain.replace("<html", `<html data-theme="${theme}"`)] as const));
  return {
    etag: `"${createHash("sha256").update(built).digest("base64url").slice(0, 16)}"`,
    for(request) {
      const chosen = readCookie(request, THEME_COOKIE);
      const theme = THEMES.find((known) => known === chosen);
      return (theme === undefined ? undefined : pages.get(theme)) ?? plain;
    },
  };
}
