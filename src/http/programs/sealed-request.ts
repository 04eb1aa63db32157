import { z } from "zod";
import { PERMISSIONS } from "../../model/people/permission-set.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PageDeps } from "./program-deps.ts";

const common = { credentialId: z.string() };
const form = z.discriminatedUnion("type", [
  z.strictObject({ ...common, type: z.literal("device"), userCode: z.string() }),
  z.strictObject({
    ...common,
    type: z.literal("redirect"),
    client: z.string(),
    redirectUri: z.string(),
    challenge: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)).nullable(),
    state: z.string(),
  }),
]);

/** A request that a page has shown to a person: the answer counts for exactly this one. */
export type ShownRequest = z.output<typeof form>;
type Unbound<Request> = Request extends ShownRequest ? Omit<Request, "credentialId"> : never;

/** Writes what a page shows into its form, for the session of the person alone and for ten minutes. */
export function sealRequest({ signIn }: PageDeps, person: ActorCaller, shown: Unbound<ShownRequest>): string {
  return signIn.signIns.seal("request", JSON.stringify({ ...shown, credentialId: person.credentialId }));
}

/** Reads what a page showed to the person; `null` if it is not ours, too old, or of another session. */
export function openRequest({ signIn }: PageDeps, person: ActorCaller, sealed: string): ShownRequest | null {
  const { data } = form.safeParse(parsed(signIn.signIns.open("request", sealed)));
  if (data === undefined || data.credentialId !== person.credentialId) return null;
  return data;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
