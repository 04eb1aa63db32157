/** A state that does not follow the one that is kept. */
export class StateRefused extends Error {
  override readonly name = "StateRefused";
  readonly code = "STATE_REFUSED";
}
