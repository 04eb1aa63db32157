/** The state does not follow the stored one. */
export class StateRefused extends Error {
  override readonly name = "StateRefused";
  readonly code = "STATE_REFUSED";
}
