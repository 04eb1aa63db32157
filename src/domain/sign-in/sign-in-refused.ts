/** The reason for which a sign-in was refused, in words for the person. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
}
