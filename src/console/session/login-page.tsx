import { useEffect, useState } from "react";
import { untilRetry } from "../live/retry.ts";
import { textOfField } from "../parts/field.ts";
import styles from "./login-page.module.css";
import { findWays, signIn, type Ways } from "./sign-in.ts";

/** Leads only to a path of this site. The parser decides as the browser does: it leaves out tabs and line ends. */
function returnPath(): string {
  const asked = URL.parse(new URLSearchParams(location.search).get("return") ?? "/", location.origin);
  if (asked?.origin !== location.origin || asked.pathname.startsWith("//")) return "/";
  return asked.pathname + asked.search + asked.hash;
}

function codeOfAddress(): string | null {
  return /^#code=([\w-]+)$/.exec(location.hash)?.[1] ?? null;
}

const shown = new Map<string, Promise<string | null>>();

/** Shows a code once, however often the page is drawn. */
function once(code: string): Promise<string | null> {
  const known = shown.get(code) ?? signIn({ code });
  shown.set(code, known);
  return known;
}

/** Finds how people can sign in, also where the server does not answer at first. */
async function readWays(signal: AbortSignal, onFound: (ways: Ways | null) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      onFound(await findWays());
      return;
    } catch {
      await untilRetry(signal);
    }
  }
}

/** Where a person shows a token, or comes by the link that a start has printed. */
export function LoginPage() {
  const [ways, setWays] = useState<Ways | null | undefined>(undefined);
  const [problem, setProblem] = useState<string | null>(null);
  const [code] = useState(codeOfAddress);
  const [isBusy, setBusy] = useState(code !== null);
  const isFresh = new URLSearchParams(location.search).get("fresh") === "1";

  const finish = (found: string | null): void => {
    if (found === null) location.assign(returnPath());
    setProblem(found);
    setBusy(found === null);
  };
  useEffect(() => {
    // The code is good once; it stays in no address and no history.
    if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
    if (code !== null) void once(code).then(finish);
    const controller = new AbortController();
    void readWays(controller.signal, setWays);
    return () => controller.abort();
  }, [code]);

  return (
    <main className={styles["login"]}>
      <title>Sign in - Holdpoint</title>
      <h1>{isFresh ? "Sign in again" : "Sign in"}</h1>
      {isFresh && <p>What you want to do takes a sign-in of the last ten minutes.</p>}
      {ways === null ? (
        <p role="alert">
          No one can sign in: the server does not know its own address. Start it with <code>HOLDPOINT_PUBLIC_URL</code>.
        </p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setBusy(true);
            void signIn({ token: textOfField(event.currentTarget, "token") }).then(finish);
          }}
        >
          <label htmlFor="token">Token</label>
          <input id="token" name="token" type="password" autoComplete="off" required spellCheck={false} />
          <button className="primary" type="submit" disabled={isBusy}>
            Sign in
          </button>
          <p className="problem" role="alert">
            {problem}
          </p>
        </form>
      )}
      {ways != null && (ways.provider !== null || ways.passkeys) && (
        <p>
          <a href={`/auth/login?return=${encodeURIComponent(returnPath())}${isFresh ? "&fresh=1" : ""}`}>
            Sign in {ways.provider === null ? "with a passkey" : `with ${ways.provider}`}
          </a>
        </p>
      )}
      <p className="quiet">This page keeps no token: the browser gets a cookie that scripts cannot read.</p>
    </main>
  );
}
