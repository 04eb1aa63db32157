import type { SignInMethod } from "../../model/people/session.ts";
import { describedEnum } from "./described-enum.ts";

export const SignInMethodEnum = describedEnum<SignInMethod>("SignInMethod", "How a person signed in.", {
  OIDC: "By the identity provider.",
  PASSKEY: "By a passkey.",
});
