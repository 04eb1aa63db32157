/** The person who answers a program on a page of this site. */
import type { ActorCaller } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { cookieName, isOfOwnPage, readCookie } from "../kit/site.ts";
import { pageHeaders } from "../kit/page-headers.ts";
import type { HttpExchange } from "../route/route.ts";
import { escapeHtml, renderPage } from "../sign-in/page.ts";
import type { PageDeps } from "./program-deps.ts";

/**
 * Returns the person of the session of the browser; `null` if there is none, or if the person must sign in again. A page
 * that only shows something may be opened from anywhere: no other site can read it, and none can show it in a frame.
 */
export async function personOf({ signIn, requests }: PageDeps, { request }: HttpExchange): Promise<ActorCaller | null> {
  const secret = readCookie(request, cookieName(signIn.site));
  const caller = secret === "" ? null : await signIn.enter(secret, request);
  return caller !== null && requests.mayAnswer(caller) ? caller : null;
}

/** Returns the person who sent a form of a page of this site; `null` if there is none, or the form is of another page. */
export async function personOfForm(deps: PageDeps, exchange: HttpExchange): Promise<ActorCaller | null> {
  return isOfOwnPage(deps.signIn.site, exchange.request) ? personOf(deps, exchange) : null;
}

/** Sends the browser to the sign-in, from which it comes back to this path. */
export function answerSignIn({ response }: HttpExchange, path: string): void {
  const location = `/auth/login?${new URLSearchParams({ return: path, fresh: "1" }).toString()}`;
  response.writeHead(303, { location, "cache-control": "no-store", "referrer-policy": "no-referrer" }).end();
}

/** Answers with a page. `formTarget`: another origin to which the answer to its form leads; `null`: none. */
export function answerPage({ response }: HttpExchange, { status = 200, title, body, formTarget = null }: Page): void {
  const headers = pageHeaders({
    "style-src": "'self'",
    "img-src": "data:",
    "form-action": formTarget === null ? "'self'" : `'self' ${formTarget}`,
  });
  // Where a page passes on no address at all, browsers do not name it as the origin of its forms.
  response.writeHead(status, { ...headers, "referrer-policy": "same-origin", "cache-control": "no-store" });
  response.end(renderPage(title, body));
}

interface Page {
  status?: number;
  title: string;
  /** HTML. */
  body: string;
  formTarget?: string | null;
}

/** Answers with a page that states a problem and what to do about it. */
export function answerProblem(exchange: HttpExchange, status: number, problem: string, next = ""): void {
  answerPage(exchange, { status, title: "Not allowed", body: `<p role="alert">${escapeHtml(problem)}</p>${next}` });
}

/** Describes what a program asks for. HTML. */
export function describeRequest(
  person: ActorCaller,
  lines: readonly (readonly [name: string, value: string])[],
): string {
  const rows = [...lines, ["You", person.actor.name] as const, ["Lasts", `${LIMITS.programTokenDays} days`] as const];
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("");
  return `<dl>${list}</dl>`;
}

/** Describes the permissions that a program asks for. */
export function describePermissions(permissions: readonly string[] | null): string {
  return permissions === null ? "Everything that you may do" : permissions.join(", ");
}

/** Renders the buttons by which a person answers; `sealed` binds the answer to what was shown, and to the session. */
export function answerButtons(action: string, sealed: string): string {
  return `<form method="post" action="${action}">
        <input type="hidden" name="request" value="${escapeHtml(sealed)}">
        <button class="action" name="decision" value="allow">Allow</button>
        <button class="action" name="decision" value="deny">Deny</button>
      </form>`;
}
