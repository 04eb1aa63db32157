/** The page on which a person types the code that a program on another device shows (RFC 8628). */
import { LIMITS } from "../../model/kit/limits.ts";
import type { RateLimiter } from "../../model/limit/gcra.ts";
import { createRateLimiter } from "../../model/limit/gcra.ts";
import { shownUserCode, userCodeOf } from "../../model/people/program.ts";
import type { HttpExchange } from "../route/route.ts";
import { readForm } from "../sign-in/body.ts";
import { escapeHtml } from "../sign-in/page.ts";
import {
  answerButtons,
  answerPage,
  answerProblem,
  answerSignIn,
  describePermissions,
  describeRequest,
  personOf,
  personOfForm,
} from "./person.ts";
import type { PageDeps, SignedIn } from "./program-deps.ts";
import { openRequest, sealRequest } from "./sealed-request.ts";

export const DEVICE_PATH = "/auth/device";
export const CODE_PATH = "/auth/device/code";
export const DECISION_PATH = "/auth/device/decision";

const NOT_KNOWN = "This code is not known, was used, or is older than ten minutes. Start the program again.";
const NOT_OF_PAGE = "Open the page again and answer there.";
const AGAIN = `<a class="action" href="${DEVICE_PATH}">Type another code</a>`;

/** The pages of one server. Guesses of codes are counted for each person. */
export interface DevicePages {
  /** Shows the page for the code. */
  show(exchange: HttpExchange): Promise<void>;
  /** Takes the code, and shows which program asks for what. */
  takeCode(exchange: HttpExchange): Promise<void>;
  /** Takes the answer. */
  takeDecision(exchange: HttpExchange): Promise<void>;
}

export function createDevicePages(deps: PageDeps): DevicePages {
  const tries = createRateLimiter(LIMITS.userCodes, LIMITS.peopleKnown);
  return {
    async show(exchange) {
      if ((await personOf(deps, exchange)) === null) return answerSignIn(exchange, DEVICE_PATH);
      const body = `<p>Type the code that the program shows. Only continue if you have just started it yourself.</p>
      <form method="post" action="${CODE_PATH}">
        <label>Code <input class="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus required></label>
        <button class="action">Continue</button>
      </form>`;
      answerPage(exchange, { title: "Let a program in", body });
    },
    async takeCode(exchange) {
      const person = await personOfForm(deps, exchange);
      if (person === null) return answerProblem(exchange, 403, NOT_OF_PAGE, AGAIN);
      await lookUp(deps, tries, { person, exchange });
    },
    async takeDecision(exchange) {
      const person = await personOfForm(deps, exchange);
      if (person === null) return answerProblem(exchange, 403, NOT_OF_PAGE, AGAIN);
      const form = await readForm(exchange.request);
      const shown = openRequest(deps, person, form.get("request") ?? "");
      const allowed = form.get("decision") === "allow";
      if (shown?.type !== "device") return answerProblem(exchange, 400, NOT_OF_PAGE, AGAIN);
      if (!(await deps.requests.decide(person, shown.userCode, allowed))) {
        return answerProblem(exchange, 400, NOT_KNOWN, AGAIN);
      }
      const text = allowed
        ? "The program gets its token now. You can close this page. Viewer.tokens lists it, and revokeToken ends it."
        : "The program gets no token. You can close this page.";
      answerPage(exchange, { title: allowed ? "Allowed" : "Denied", body: `<p>${text}</p>` });
    },
  };
}

async function lookUp(deps: PageDeps, tries: RateLimiter, { person, exchange }: SignedIn): Promise<void> {
  const typed = (await readForm(exchange.request)).get("code") ?? "";
  const now = deps.clock().getTime();
  // Before the look-up: of many guesses at once, as many count.
  const { allowed, retryAfterMs } = tries.take(person.actor.id, 1, now);
  if (!allowed) {
    const minutes = Math.max(1, Math.ceil(retryAfterMs / 60_000));
    return answerProblem(exchange, 429, `Too many codes were wrong. Try again in ${minutes} min.`);
  }
  const userCode = userCodeOf(typed);
  const request = userCode === null ? null : await deps.requests.find(userCode);
  if (request === null || userCode === null) return answerProblem(exchange, 400, NOT_KNOWN, AGAIN);
  tries.give(person.actor.id, 1, now);
  const facts = describeRequest(person, [
    ["Program", request.client],
    ["Its address", request.address ?? "not known"],
    ["It may do", describePermissions(request.permissions)],
    ["Code", shownUserCode(userCode)],
  ]);
  const sealed = sealRequest(deps, person, { type: "device", userCode });
  const body = `<p>The program <strong>${escapeHtml(request.client)}</strong>, as it calls itself, asks for a token of yours.
        Deny it if you have not just started it yourself.</p>
      ${facts}
      ${answerButtons(DECISION_PATH, sealed)}`;
  answerPage(exchange, { title: "Let a program in", body });
}
