import type { SignInMethod } from "../../model/people/session.ts";
import { describedEnum } from "./described-enum.ts";

export const SignInMethodEnum = describedEnum<SignInMethod>("SignInMethod", "How a person signed in.", {
  OIDC: "By the identity provider.",
  PASSKEY: "By a passkey.",
  TOKEN: "By a token of the API. The session has no more rights than the token, and ends with it.",
});
