/** A browser without a window: keeps cookies by host and port, follows redirects, and fills in forms. */
export interface Visit {
  status: number;
  /** Where it ended. */
  url: string;
  text: string;
  headers: Headers;
}

export class CookieBrowser {
  readonly cookies = new Map<string, Map<string, string>>();
  /** Where hosts with names of their own are reached. */
  readonly #hosts: ReadonlyMap<string, string>;

  constructor(hosts: Readonly<Record<string, string>> = {}) {
    this.#hosts = new Map(Object.entries(hosts));
  }

  /** Opens an address and follows redirects, up to one that `until` is true for. */
  async open(address: string, init: RequestInit = {}, until: (url: string) => boolean = () => false): Promise<Visit> {
    let url = address;
    let request = init;
    for (let hops = 0; hops < 20; hops += 1) {
      const answer = await fetch(this.#reached(url), {
        ...request,
        redirect: "manual",
        headers: this.#headers(url, request),
      });
      this.#keep(url, answer.headers.getSetCookie());
      const location = answer.headers.get("location");
      const text = await answer.text();
      if (location === null) return { status: answer.status, url, text, headers: answer.headers };
      url = new URL(location, url).href;
      if (until(url)) return { status: answer.status, url, text, headers: answer.headers };
      request = {};
    }
    throw new Error(`Too many redirects, the last to ${url}.`);
  }

  /** Sends the first form of a page with these fields beside its hidden ones. */
  submit({ text, url }: Visit, fields: Record<string, string>, until?: (url: string) => boolean): Promise<Visit> {
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? "";
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    const headers = { origin: new URL(url).origin };
    return this.open(new URL(action.replaceAll("&amp;", "&"), url).href, { method: "POST", headers, body }, until);
  }

  cookie(url: string, name: string): string | undefined {
    return this.cookies.get(new URL(url).host)?.get(name);
  }

  #reached(url: string): string {
    const { origin } = new URL(url);
    return (this.#hosts.get(origin) ?? origin) + url.slice(origin.length);
  }

  #headers(url: string, { headers }: RequestInit): Headers {
    const all = new Headers({ accept: "text/html", ...Object.fromEntries(new Headers(headers)) });
    const cookies = [...(this.cookies.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) all.set("cookie", cookies.join("; "));
    return all;
  }

  #keep(url: string, lines: readonly string[]): void {
    const { host } = new URL(url);
    const own = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, own);
    for (const line of lines) {
      const [pair = ""] = line.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      const isRemoved = /max-age=0|expires=thu, 01 jan 1970/i.test(line);
      if (isRemoved) own.delete(name);
      else own.set(name, pair.slice(name.length + 1));
    }
  }
}
