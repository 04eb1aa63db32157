/** A server with an identity provider, and browsers that sign in at it. */
import type { Data } from "./api.ts";
import { CookieBrowser, type Visit } from "./cookie-browser.ts";
import { startIdentityProvider, type TestProvider } from "./identity-provider.ts";
import { type InProcess, startInProcess } from "./in-process.ts";

/** The address by which browsers know the server. */
export const SITE = "http://holdpoint.localhost";
export const SESSION_COOKIE = "holdpoint";

export interface SignInScene extends AsyncDisposable {
  readonly server: InProcess;
  readonly provider: TestProvider;
  /** Why sign-ins did not succeed. */
  readonly refusals: unknown[];
  browser(): CookieBrowser;
  /** Goes to the provider, as far as its own page. */
  toProvider(browser: CookieBrowser, query?: string): Promise<Visit>;
  /** Signs in as somebody that the provider knows, up to the page that `until` is true for. */
  signIn(browser: CookieBrowser, name: string, until?: (url: string) => boolean): Promise<Visit>;
  /** Sends an operation from a page of the site. */
  ask(browser: CookieBrowser, query: string, variables?: object): Promise<Data>;
}

export async function openSignInScene(
  settings: { adminGroup?: string; domains?: string[] } = {},
): Promise<SignInScene> {
  const stack = new AsyncDisposableStack();
  const address = { url: "" };
  const reached = (url: string): string => url.replace(SITE, address.url);
  const provider = stack.use(await startIdentityProvider(SITE, reached));
  const refusals: unknown[] = [];
  const server = stack.use(
    await startInProcess({
      signIn: {
        origin: SITE,
        oidc: {
          issuer: provider.issuer,
          clientId: provider.clientId,
          clientSecret: provider.clientSecret,
          scopes: "openid profile email groups",
          groupsClaim: "groups",
          adminGroup: settings.adminGroup ?? null,
          domains: settings.domains ?? [],
        },
        onRefused: (error) => refusals.push(error),
      },
    }),
  );
  address.url = server.url;
  const toProvider: SignInScene["toProvider"] = (browser, query = "") => browser.open(`${SITE}/auth/oidc${query}`);
  return {
    server,
    provider,
    refusals,
    browser: () => new CookieBrowser({ [SITE]: server.url }),
    toProvider,
    async signIn(browser, name, until) {
      const asked = await toProvider(browser);
      return browser.submit(asked, { login: name, password: "any" }, until);
    },
    async ask(browser, query, variables = {}) {
      const answer = await browser.open(`${SITE}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", origin: SITE },
        body: JSON.stringify({ query, variables }),
      });
      return JSON.parse(answer.text);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
