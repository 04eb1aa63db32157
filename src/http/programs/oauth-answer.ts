/** Answers in the form of OAuth 2.0 (RFC 6749, 5.2), which programs read. */
import { answerJson } from "../kit/json-answer.ts";
import type { ErrorForm } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";

/** An error of a program, with its code of OAuth. */
export class OAuthError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const CODE_OF: Readonly<Partial<Record<number, string>>> = {
  429: "temporarily_unavailable",
  500: "server_error",
  503: "temporarily_unavailable",
};

/** `{ error, error_description }` */
export const oauthErrors: ErrorForm = ({ status, message, errorId }) => ({
  error: CODE_OF[status] ?? "invalid_request",
  error_description: errorId === undefined ? message : `Unexpected error (${errorId}).`,
});

/** Serves a request of a program, which gets an error in the form of OAuth. */
export function forPrograms(serve: (exchange: HttpExchange) => Promise<void>) {
  return async (exchange: HttpExchange): Promise<void> => {
    try {
      await serve(exchange);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { code, message } = error;
      const status = code === "invalid_client" ? 401 : 400;
      answerJson(exchange.response, status, { error: code, error_description: message });
    }
  };
}
