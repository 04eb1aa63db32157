/** A real Chromium without a window, as Debian and Ubuntu package it. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The first that is there is taken. The shell has no window to draw for: it needs a third less of a processor. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

function executable(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`Chromium is not on PATH (${NAMES.join(", ")}). apt-get install chromium`);
  return found;
}

/**
 * Starts it. `hosts`: names that are reached at an address of this machine. `keyHash`: of the key of a certificate that
 * is taken for valid; for one that is only ignored there are no passkeys.
 */
export function startChromium(hosts: Readonly<Record<string, string>>, keyHash?: string): Promise<Browser> {
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  return chromium.launch({
    executablePath: executable(),
    // Nothing is drawn for a screen, and root cannot have its sandbox.
    args: [
      "--disable-gpu",
      `--host-resolver-rules=${rules.join(",")}`,
      ...(keyHash === undefined ? [] : [`--ignore-certificate-errors-spki-list=${keyHash}`]),
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}

/** Opens a window with a profile of its own. A page is waited for as long as it takes on a slow machine. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(90_000);
  return context;
}

/** Closes a window. A request that a test is still answering ends with it, and is no error. */
export async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/** An authenticator in software, such as the one of a phone: it verifies the person and keeps passkeys. */
export interface Authenticator {
  /** Replaces its passkeys by copies that have signed as often as given. */
  copied(signCount: number): Promise<void>;
  /** Whether it verifies the person from now on. */
  verifies(verified: boolean): Promise<void>;
}

export async function addAuthenticator(context: BrowserContext, page: Page): Promise<Authenticator> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async copied(signCount) {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
      for (const credential of credentials) {
        await session.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount } });
      }
    },
    async verifies(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}
